import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { StoredCitation, NoteEntry } from '../../../core/domain/note.ts';
import { sanitizeMarkdown } from '../../../core/domain/sanitize-markdown.ts';
import { noteAsMarkdown } from '../../../core/domain/note-markdown.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';
import {
  isShared,
  notePath,
  sharedKey,
  type SharedNotebook,
  type SharedSource,
} from '../model/shared-notebook.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { findRepository } from '../../sources/editor/folder-files.ts';
import { agreeToHosts, HostBatch } from '../../sources/editor/private-hosts.ts';
import { lastSegment, statFile } from '../../../platform/workspace-files.ts';
import {
  readSharedNotebook,
  readSharedText,
  sharedListUri,
  textPath,
  writeSharedNotebook,
} from './shared-files.ts';
import type { SharedText } from './shared-writing.ts';
import { inform, isAgreed, offer, showWarning } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Path of the shared folder itself in the list. */
const ROOT_PATH = '.';

/** Services for sharing. */
export interface SharingParts {
  readonly notebook: NotebookClient;
  readonly adder: SourceAdder;
}

/** Source or note that is shared or could be. */
interface Item extends vscode.QuickPickItem {
  readonly shared: SharedSource | { readonly note: string };
  readonly source?: Source;
  /** Title of a note of the notebook. */
  readonly title?: string;
}

/**
 * Asks which sources and notes the repository in a folder shares from now on, and writes them there. Resolves to
 * whether it did.
 * @throws NotebookError `empty` if there is nothing to share
 */
export async function shareNotebook(root: vscode.Uri, { notebook }: SharingParts): Promise<boolean> {
  const [sources, notes, before] = await Promise.all([
    notebook.call('sources', {}),
    notebook.call('notes', {}),
    readSharedNotebook(root),
  ]);
  const items = itemsToShare(root, sources, notes, before);
  if (items.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t(
        'This notebook has nothing to share. Add files from this folder, web pages, sites, text, or notes first.',
      ),
    );
  const isInRepository = (await findRepository(root)) !== undefined;
  if (!isInRepository && before === undefined && !(await isSharedAnyway(root))) return false;
  const outside = sources.length - items.filter(({ source }) => source !== undefined).length;
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Share Notebook in Repository'),
    placeHolder:
      outside === 0
        ? vscode.l10n.t('Select what to share with everyone who opens this repository')
        : vscode.l10n.t('Select what to share. Sources outside this folder (not shared): {0}', outside),
  });
  if (picked === undefined) return false;
  const texts: SharedText[] = [];
  for (const { shared, source } of picked)
    if ('note' in shared) {
      const title = titleOfPath(shared.note);
      const { text, citations } = await notebook.call('note', {
        title: findNote(items, shared.note) ?? title,
      });
      texts.push({ path: shared.note, text: noteAsMarkdown(text, withoutPlaces(citations, root)) });
    } else if (shared.kind === 'text' && source !== undefined) {
      const [entry] = await notebook.call('documents', { sourceId: source.id });
      if (entry === undefined) continue;
      const { text } = await notebook.call('document', { documentId: entry.id });
      texts.push({ path: shared.path, text });
    }
  const shared = {
    sources: picked.flatMap(({ shared: one }) => ('note' in one ? [] : [one])),
    notes: picked.flatMap(({ shared: one }) => ('note' in one ? [one.note] : [])),
  };
  const skippedPaths = await writeSharedNotebook(root, shared, texts, mayOverwrite);
  if (skippedPaths === undefined) return false;
  if (skippedPaths.length > 0) void showWarning(leftAsTheyAre(skippedPaths));
  const message = isInRepository
    ? vscode.l10n.t(
        'Items shared in .notebook: {0}. Commit this folder so that everyone who opens the repository can add them.',
        picked.length,
      )
    : vscode.l10n.t(
        'Items shared in .notebook: {0}. Everyone who opens a copy of this folder can add them.',
        picked.length,
      );
  void offer(message, vscode.l10n.t('Open'), () => vscode.window.showTextDocument(sharedListUri(root)));
  return true;
}

/** Asks which of the missing shared sources and notes to add to the notebook, and adds them. */
export async function addShared(
  root: vscode.Uri,
  shared: SharedNotebook,
  { notebook, adder }: SharingParts,
): Promise<boolean> {
  const { sources, notes } = await missingFrom(root, shared, notebook);
  if (sources.length + notes.length === 0) {
    inform(vscode.l10n.t('This notebook already contains everything that the repository shares.'));
    return true;
  }
  const items = [
    ...sources.map((source): Item => ({ ...describeItem(source, root), shared: source, picked: true })),
    ...notes.map((path): Item => ({ ...looksOfNote(path), shared: { note: path }, picked: true })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Add Shared Sources from Repository'),
    placeHolder: vscode.l10n.t('Select what to add. Open Notebook downloads pages and sites from the web.'),
  });
  if (picked === undefined) return false;
  const refused: string[] = [];
  const hosts = new HostBatch();
  for (const { shared: one } of picked)
    try {
      if ('note' in one) {
        const text = sanitizeMarkdown(await readSharedText(root, one.note));
        await notebook.call('addNote', { title: titleOfPath(one.note), text, citations: [] });
      } else await addOne(root, one, { adder, hosts });
    } catch (error) {
      if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
      refused.push(error.message);
    }
  if (refused.length > 0) void showWarning(refused.join(' '));
  return true;
}

/** Asks whether to share in a folder that isn't part of a repository. */
async function isSharedAnyway(root: vscode.Uri): Promise<boolean> {
  return isAgreed(
    vscode.l10n.t('{0} isn’t in a Git repository. Share the notebook there anyway?', folderName(root)),
    vscode.l10n.t('Share Anyway'),
    vscode.l10n.t(
      'Open Notebook writes the list of shared items to the .notebook folder. Others get the list only with a copy of {0}, or if you add {0} to a repository.',
      folderName(root),
    ),
  );
}

/** Asks whether to overwrite files of shared texts that were changed since they were written. */
async function mayOverwrite(paths: readonly string[]): Promise<boolean | undefined> {
  const overwrite = vscode.l10n.t('Overwrite');
  const leave = vscode.l10n.t('Keep Changed Files');
  const answer = await showWarning(
    vscode.l10n.t('Some files in .notebook were changed outside Open Notebook. Overwrite them?'),
    [leave, overwrite],
    { modal: true, detail: paths.join('\n') },
  );
  return answer === undefined ? undefined : answer === overwrite;
}

function leftAsTheyAre(paths: readonly string[]): string {
  return vscode.l10n.t(
    'Kept these files in .notebook because they were changed outside Open Notebook: {0}.',
    paths.join(', '),
  );
}

/** Returns the shared sources and notes that a notebook doesn't contain. */
export async function missingFrom(
  root: vscode.Uri,
  shared: SharedNotebook,
  notebook: NotebookClient,
): Promise<SharedNotebook> {
  const [sources, notes] = await Promise.all([notebook.call('sources', {}), notebook.call('notes', {})]);
  return {
    sources: shared.sources.filter(
      (sharedSource) => !sources.some((source) => isShared(source, sharedSource, uriIn(root))),
    ),
    notes: shared.notes.filter((path) => !notes.some(({ title }) => title === titleOfPath(path))),
  };
}

/** Returns the sources of a notebook with these keys. */
export function sourcesWith(
  keys: ReadonlySet<string>,
  sources: readonly Source[],
  root: vscode.Uri,
): Source[] {
  return sources.filter((source) => {
    const shared = shareable(source, root, new Set());
    return shared !== undefined && keys.has(sharedKey(shared));
  });
}

/** Returns the notes of a notebook with these keys. */
export function notesWith(keys: ReadonlySet<string>, notes: readonly NoteEntry[]): NoteEntry[] {
  const titles = new Set(
    [...keys].map(notePath).flatMap((path) => (path === undefined ? [] : titleOfPath(path))),
  );
  return notes.filter(({ title }) => titles.has(title));
}

async function addOne(
  root: vscode.Uri,
  shared: SharedSource,
  { adder, hosts }: { readonly adder: SourceAdder; readonly hosts: HostBatch },
): Promise<void> {
  switch (shared.kind) {
    case 'file':
    case 'folder':
      await addPlace(root, { kind: shared.kind, path: shared.path }, adder);
      return;
    case 'page':
      await adder.addAll({ pages: [shared.url], hosts });
      return;
    case 'site': {
      const { starts, depth, limit, include, exclude } = shared;
      const privateHosts = await agreeToHosts(starts, [], hosts);
      if (privateHosts !== undefined)
        await adder.addSite({ starts, depth, limit, include, exclude, privateHosts });
      return;
    }
    case 'text':
      await adder.addWholeText({
        title: shared.title ?? shared.path,
        text: await readSharedText(root, shared.path),
      });
  }
}

/**
 * Adds a file or folder that a repository names and that really is inside it.
 * @throws NotebookError `not-found`, or `forbidden` if a link leads outside or to a file that is never read
 */
async function addPlace(
  root: vscode.Uri,
  { kind, path }: { readonly kind: 'file' | 'folder'; readonly path: string },
  adder: SourceAdder,
): Promise<void> {
  const uri = vscode.Uri.parse(uriIn(root)(path));
  const isOnDisk = root.scheme === 'file';
  if (
    isOnDisk &&
    (await statFile(uri)) !== undefined &&
    (await resolveInsideRoot(root.fsPath, path))?.kind !== kind
  )
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t(
        'Can’t add {0} because it doesn’t match the shared list or links to another location. Check it, then add the shared sources again.',
        path,
      ),
    );
  await adder.addAll({ uris: [uri], within: isOnDisk ? root : undefined });
}

/** Returns all items that can be shared. Items already shared are checked; if there are none, all are. */
function itemsToShare(
  root: vscode.Uri,
  sources: readonly Source[],
  notes: readonly NoteEntry[],
  before: SharedNotebook | undefined,
): Item[] {
  const known = new Set(before && [...before.sources, ...before.notes].map((item) => sharedKey(item)));
  const picked = (item: SharedSource | string): boolean => before === undefined || known.has(sharedKey(item));
  const usedPaths = new Set<string>();
  const ofSources = sources.flatMap((source): Item[] => {
    const shared = shareable(source, root, usedPaths);
    return shared === undefined
      ? []
      : [{ ...describeItem(shared, root), shared, source, picked: picked(shared) }];
  });
  const ofNotes = notes.map(({ title }): Item => {
    const note = textPath('notes', title, usedPaths);
    return { ...looksOfNote(note), label: literalText(title), title, shared: { note }, picked: picked(note) };
  });
  return [...ofSources, ...ofNotes];
}

function shareable(source: Source, root: vscode.Uri, usedPaths: Set<string>): SharedSource | undefined {
  const { origin, title } = source;
  switch (origin.kind) {
    case 'file':
    case 'folder': {
      const path = pathIn(root, vscode.Uri.parse(origin.uri));
      return path === undefined ? undefined : { kind: origin.kind, path };
    }
    case 'page':
      return { kind: 'page', url: origin.url, title };
    case 'site': {
      const { kind, starts, depth, limit, include, exclude } = origin;
      return { kind, starts, depth, limit, include, exclude, title };
    }
    case 'text':
      return { kind: 'text', path: textPath('texts', title, usedPaths), title };
    case 'selection':
    case 'copy':
      return undefined;
  }
}

function describeItem(shared: SharedSource, root: vscode.Uri): Omit<Item, 'shared'> {
  if ('path' in shared) {
    const isText = shared.kind === 'text';
    const path = shared.path === ROOT_PATH ? folderName(root) : shared.path;
    const label = (isText ? shared.title : undefined) ?? path;
    return { label: literalText(label), iconPath: new vscode.ThemeIcon(isText ? 'note' : shared.kind) };
  }
  const description = shared.kind === 'page' ? shared.url : shared.starts.join(' ');
  return {
    label: literalText(shared.title ?? description),
    description: literalText(description),
    iconPath: new vscode.ThemeIcon('globe'),
  };
}

function looksOfNote(path: string): Omit<Item, 'shared'> {
  return {
    label: literalText(titleOfPath(path)),
    description: vscode.l10n.t('note'),
    iconPath: new vscode.ThemeIcon('notebook'),
  };
}

function findNote(items: readonly Item[], path: string): string | undefined {
  return items.find(({ shared }) => 'note' in shared && shared.note === path)?.title;
}

/** Returns citations that name files by their paths in the repository, and other documents only by their titles. */
function withoutPlaces(citations: readonly StoredCitation[], root: vscode.Uri): StoredCitation[] {
  return citations.map(({ id, citation }) => {
    const isWeb = /^https?:/i.test(citation.uri);
    const uri = isWeb ? citation.uri : (pathIn(root, vscode.Uri.parse(citation.uri)) ?? '');
    return { id, citation: { ...citation, uri } };
  });
}

function titleOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

/** Returns the name that the Explorer shows for a folder of the workspace. */
function folderName(folder: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(folder)?.name ?? lastSegment(folder);
}

function uriIn(root: vscode.Uri): (path: string) => string {
  return (path) => (path === ROOT_PATH ? root : vscode.Uri.joinPath(root, path)).toString();
}

function pathIn(root: vscode.Uri, uri: vscode.Uri): string | undefined {
  if (uri.toString() === root.toString()) return ROOT_PATH;
  const isBelow =
    uri.scheme === root.scheme && uri.authority === root.authority && uri.path.startsWith(`${root.path}/`);
  return isBelow ? uri.path.slice(root.path.length + 1) : undefined;
}
