import * as vscode from 'vscode';
import { NotebookError, errorMessage } from '../../../core/domain/errors.ts';
import { TEMPLATE_FOLDER, type Template } from '../../../core/domain/template.ts';
import { MAX_TEMPLATE_SIZE, readTemplate, tooLarge, type ReadTemplate } from '../service/template-file.ts';
import { offerActionOnWarning } from '../../../platform/dialogs.ts';
import { filesEndingIn, lastSegment, readSmallFile } from '../../../platform/workspace-files.ts';

/** Maximum number of templates in a folder. */
const MAX_TEMPLATES = 100;
/** Built-in templates, in the order of the list. */
const SHIPPED = [
  'briefing',
  'study-guide',
  'faq',
  'glossary',
  'timeline',
  'index',
  'slides',
  'concept-map',
  'mind-map',
  'comparison',
  'critique',
  'blog-post',
  'what-changed',
  'conversation',
];

/** Problems that were already shown, for the lifetime of the window. */
const reported = new Set<string>();

/**
 * Returns the built-in templates, then those of the workspace, which replace others of the same name. Problems in a
 * file are shown once. Templates of an untrusted workspace aren't read.
 */
export async function templates(extensionUri: vscode.Uri): Promise<readonly Template[]> {
  const shipped = shippedIn(extensionUri);
  const templatesByName = new Map<string, Template>();
  for (const name of SHIPPED) await read(vscode.Uri.joinPath(shipped, `${name}.md`), templatesByName);
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  for (const { uri } of folders) for (const file of await filesIn(uri)) await read(file, templatesByName);
  return [...templatesByName.values()];
}

/** Current state of a note's template: valid, missing, or the problem with its file in one sentence. */
type TemplateNow =
  | ({ readonly kind: 'there'; readonly uri: vscode.Uri } & ReadTemplate)
  | { readonly kind: 'gone' | 'untrusted' }
  | { readonly kind: 'invalid'; readonly uri: vscode.Uri; readonly problem: string };

/** Returns the current state of the template with a name. */
export async function templateNow(extensionUri: vscode.Uri, name: string): Promise<TemplateNow> {
  const { isTrusted, workspaceFolders: folders = [] } = vscode.workspace;
  // If several folders have a template of this name, the last one counts, as in the list of templates.
  for (const { uri } of isTrusted ? folders.toReversed() : [])
    for (const file of await filesIn(uri)) {
      if (lastSegment(file).replace(/\.md$/i, '') !== name) continue;
      try {
        return { kind: 'there', ...(await readFile(file)), uri: file };
      } catch (error) {
        return { kind: 'invalid', uri: file, problem: errorMessage(error) };
      }
    }
  if (SHIPPED.includes(name)) {
    const uri = vscode.Uri.joinPath(shippedIn(extensionUri), `${name}.md`);
    return { kind: 'there', ...(await readFile(uri)), uri };
  }
  return { kind: isTrusted ? 'gone' : 'untrusted' };
}

function shippedIn(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'media', 'templates');
}

async function filesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  return (await filesEndingIn(vscode.Uri.joinPath(folder, ...TEMPLATE_FOLDER), '.md')).slice(
    0,
    MAX_TEMPLATES,
  );
}

async function read(uri: vscode.Uri, templatesByName: Map<string, Template>): Promise<void> {
  try {
    const { template, problems } = await readFile(uri);
    showProblems(uri, problems);
    templatesByName.set(template.name, template);
  } catch (error) {
    showOnce(uri, errorMessage(error));
  }
}

/** @throws NotebookError, and errors of the file system */
async function readFile(uri: vscode.Uri): Promise<ReadTemplate> {
  const file = lastSegment(uri);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_TEMPLATE_SIZE) throw tooLarge(file);
  return readTemplate(await readSmallFile(uri, MAX_TEMPLATE_SIZE), file, vscode.env.language);
}

/** Shows once which parts of a file were ignored. */
export function showProblems(uri: vscode.Uri, problems: readonly string[]): void {
  for (const problem of problems) showOnce(uri, problem);
}

function showOnce(uri: vscode.Uri, problem: string): void {
  const key = `${uri.toString()} ${problem}`;
  if (reported.has(key)) return;
  reported.add(key);
  void offerFile(problem, uri);
}

/** Shows a warning, and offers to open the file that it is about. */
export async function offerFile(problem: string, uri: vscode.Uri): Promise<void> {
  if (await offerActionOnWarning(problem, vscode.l10n.t('Open File')))
    await vscode.window.showTextDocument(uri);
}

/** Returns the content of a new template, which explains its own fields. */
const exampleTemplate = (): string => `---
title: ${vscode.l10n.t('My Template')}
description: ${vscode.l10n.t('One line that describes the result')}
notes: >-
  ${vscode.l10n.t('Instructions for the notes that the model takes first, if the sources are too long to read at once.')}
---

${vscode.l10n.t('Instructions for the text: its sections and their order, its length, and its readers.')}
`;

/** Opens a new, unsaved template in the workspace. @throws NotebookError `forbidden`, `not-found` */
export async function makeTemplate(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('Templates are stored in a workspace folder. Open a folder first.'),
    );
  if (!vscode.workspace.isTrusted)
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t('Templates work only in trusted workspaces. Trust this workspace first.'),
    );
  const uri = await freeUri(vscode.Uri.joinPath(folder.uri, ...TEMPLATE_FOLDER));
  const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), exampleTemplate()));
}

async function freeUri(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let count = 1; ; count++) {
    const uri = vscode.Uri.joinPath(
      folder,
      count === 1 ? 'my-template.md' : `my-template-${String(count)}.md`,
    );
    const isThere = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
      () => true,
      () => false,
    );
    if (!isThere) return uri;
  }
}
