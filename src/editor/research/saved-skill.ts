import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import { writeComposedSkill } from '../../researching/skills/skill-file.ts';
import type { ComposedSkill } from '../../researching/skills/skill.ts';
import { statFile } from '../workspace-files.ts';

/** Where the skills of a workspace stand, below each of its folders. */
const FOLDER = ['.notebook', 'skills'];

/**
 * Keeps a skill as a file of the workspace, beside those that are there, and opens it to be looked through.
 * @throws NotebookError `not-found` where no folder is open
 */
export async function saveSkill(skill: ComposedSkill): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('Skills are kept in the folder that is open. Open one, then save the skill again.'),
    );
  let name = skill.name;
  const skillFile = (): vscode.Uri => vscode.Uri.joinPath(folder, ...FOLDER, `${name}.md`);
  for (let n = 2; (await statFile(skillFile())) !== undefined; n++) name = `${skill.name}-${String(n)}`;
  const uri = skillFile();
  await vscode.workspace.fs.writeFile(uri, Buffer.from(writeComposedSkill({ ...skill, name })));
  await vscode.window.showTextDocument(uri);
  return uri;
}
