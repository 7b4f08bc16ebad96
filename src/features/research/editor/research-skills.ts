import * as vscode from 'vscode';
import { errorMessage, NotebookError } from '../../../core/domain/errors.ts';
import { primitiveSkills } from '../service/skills/skill-library.ts';
import { readComposedSkill, writeComposedSkill } from '../service/skills/skill-file.ts';
import type { SkillNotebook, TableBase } from '../service/skills/skill-parts.ts';
import type { Skill, ComposedSkill } from '../service/skills/skill.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import { openStore } from '../../sharing/editor/shared-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import { filesEndingIn, lastSegment, readSmallFile, statFile } from '../../../platform/workspace-files.ts';
import { editorTools } from './editor-tools.ts';
import { pageOpener } from './page-opener.ts';
import { workspaceSkills } from './workspace-skills.ts';

interface SkillsParts {
  readonly notebook: NotebookClient;
  readonly searchedNotebook: SkillNotebook;
  readonly adder: SourceAdder;
  readonly tables: TableBase;
}

/**
 * Returns all skills of a research project in this window, including the editor's tools that the user turned on.
 * Created for each run, because the user's consent lasts for one run.
 */
export function researchSkills(
  { notebook, searchedNotebook: searched, adder, tables }: SkillsParts,
  ticked: readonly string[],
): readonly Skill[] {
  return primitiveSkills({
    notebook: searched,
    tables,
    pages: pageOpener(notebook, adder),
    more: [...workspaceSkills({ notebook, adder }), ...editorTools(ticked)],
  });
}

/** Path of a workspace's skills below each of its folders. */
const FOLDER = ['.notebook', 'skills'];

/** Maximum number of skills in a folder, and maximum size of each in bytes. */
const MAX_SKILLS = 200;
const MAX_BYTES = 64 * 1024;

/**
 * Returns the skills of the workspace, then the built-in ones. Invalid skills are reported and skipped. Skills of an
 * untrusted workspace aren't read.
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
  const skills: ComposedSkill[] = [];
  for (const file of (await filesEndingIn(folder, '.md')).slice(0, MAX_SKILLS))
    try {
      const text = new TextDecoder().decode(await readSmallFile(file, MAX_BYTES));
      skills.push(readComposedSkill(text, lastSegment(file).slice(0, -'.md'.length)));
    } catch (error) {
      onWrong(errorMessage(error));
    }
  return skills;
}

/** Returns the interface of a notebook that skills use. */
export function skillNotebook(
  notebook: NotebookClient,
  embedder: Pick<Embedder, 'embedQuestion'>,
): SkillNotebook {
  return {
    documents: (sourceId) => notebook.call('documents', { sourceId }),
    outlines: (documentIds) => notebook.call('outlines', { documentIds }),
    document: async (documentId) => {
      try {
        const { entry, text } = await notebook.call('document', { documentId });
        return { sourceId: entry.sourceId, title: entry.title, text };
      } catch (error) {
        if (error instanceof NotebookError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
    finderIn: (sourceId) => passageFinder(notebook, embedder, { kind: 'sources', sourceIds: [sourceId] }),
  };
}

/**
 * Saves a skill as a new file of the workspace and opens it for review.
 * @throws NotebookError `not-found` if no folder is open
 */
export async function saveSkill(skill: ComposedSkill): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('Skills are saved in a workspace folder. Open a folder, then save the skill again.'),
    );
  let name = skill.name;
  const skillFile = (): vscode.Uri => vscode.Uri.joinPath(folder, ...FOLDER, `${name}.md`);
  for (let n = 2; (await statFile(skillFile())) !== undefined; n++) name = `${skill.name}-${String(n)}`;
  const uri = skillFile();
  const text = writeComposedSkill({ ...skill, name });
  await openStore(folder).write([...FOLDER, `${name}.md`].join('/'), Buffer.from(text));
  await vscode.window.showTextDocument(uri);
  return uri;
}
