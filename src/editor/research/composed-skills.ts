import * as vscode from 'vscode';
import { errorMessage } from '../../notebook/errors.ts';
import { readComposedSkill } from '../../researching/skills/skill-file.ts';
import type { ComposedSkill } from '../../researching/skills/skill.ts';

/** Where the skills of a workspace stand, below each of its folders. */
const FOLDER = ['.notebook', 'skills'];

/** A folder may bring at most so many, none larger than so many bytes. */
const MOST = 200;
const LARGEST = 64 * 1024;

/**
 * The skills of the workspace, then those that come with the product; what is wrong in one is told, and it is left out.
 * Those of a workspace that is not trusted are not read.
 */
export async function composedSkills(
  extensionUri: vscode.Uri,
  onWrong: (problem: string) => void,
): Promise<readonly ComposedSkill[]> {
  const workspace = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const folders = [
    ...workspace.map(({ uri }) => vscode.Uri.joinPath(uri, ...FOLDER)),
    vscode.Uri.joinPath(extensionUri, 'media', 'skills'),
  ];
  const skills: ComposedSkill[] = [];
  for (const folder of folders) skills.push(...(await skillsIn(folder, onWrong)));
  return skills;
}

async function skillsIn(folder: vscode.Uri, onWrong: (problem: string) => void): Promise<ComposedSkill[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  const names = entries
    .filter(([name, type]) => type === vscode.FileType.File && name.endsWith('.md'))
    .map(([name]) => name)
    .sort()
    .slice(0, MOST);
  const skills: ComposedSkill[] = [];
  for (const name of names)
    try {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
      if (bytes.length <= LARGEST)
        skills.push(readComposedSkill(new TextDecoder().decode(bytes), name.slice(0, -'.md'.length)));
    } catch (error) {
      onWrong(errorMessage(error));
    }
  return skills;
}
