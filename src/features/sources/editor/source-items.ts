import * as vscode from 'vscode';
import type { TranscriptionState } from '../../recordings/editor/transcription.ts';
import { isRecordingName, isRecordingType } from '../../../core/domain/recordings.ts';
import {
  recordingChanges,
  type DocumentEntry,
  type Source,
  type SourceFolder,
  type SourceKind,
  type SourceState,
} from '../../../core/domain/source.ts';
import {
  describe,
  hasDocuments,
  includedInWords,
  passages,
  formatSkipCounts,
  rowLabel,
  shortLabel,
  tooltip,
  type RecognitionState,
} from './source-words.ts';

/** Row of the Sources view. */
export type SourcesNode =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'folder'; readonly source: Source; readonly folder: SourceFolder }
  | { readonly kind: 'document'; readonly source: Source; readonly document: DocumentEntry };

/** Returns the path of a row in its source: a document's key, a folder's path, or '' for the source itself. */
export function pathOf(node: SourcesNode): string {
  if (node.kind === 'folder') return node.folder.path;
  return node.kind === 'document' ? node.document.key : '';
}

/** Returns the item of a source with its state. `included` is the number of its documents that questions include. */
export function sourceItem(
  source: Source,
  isIncluded: boolean,
  recognition: RecognitionState,
  included = source.documents,
): vscode.TreeItem {
  const { origin, state } = source;
  const hasParts = hasDocuments(origin);
  const item = new vscode.TreeItem(
    state.kind === 'failed' ? shortLabel(source) : rowLabel(source),
    hasParts && source.documents > 0
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None,
  );
  item.id = source.id;
  item.checkboxState = checkbox(source.title, isIncluded);
  item.description = describe(source, recognition, isIncluded ? included : source.documents);
  // Shows the tooltip of a single document, too, which lists its unreadable parts.
  if (hasParts) item.tooltip = tooltip(source);
  item.contextValue = [
    'source',
    isIncluded ? 'included' : 'notIncluded',
    ...(state.kind === 'reading' || state.kind === 'queued' ? ['reading'] : []),
    ...(origin.kind === 'selection' ||
    origin.kind === 'text' ||
    origin.kind === 'copy' ||
    state.kind === 'paused'
      ? []
      : [state.kind === 'failed' ? 'failed' : 'refreshable']),
    ...(hasParts ? [] : ['openable']),
    ...(origin.kind === 'site' ? ['site'] : []),
    ...(origin.kind === 'page' && !hasParts ? ['page'] : []),
    ...(state.kind === 'paused' ? ['paused'] : []),
    ...(recognition.left > 0 ? [recognition.isPaused ? 'unrecognised' : 'recognising'] : []),
    ...transcriptionContext(source, recognition.transcription),
    ...(origin.kind === 'file' && state.kind === 'ready' && isRecordingName(origin.uri)
      ? recordingContext(source)
      : []),
    ...(origin.kind === 'folder' && formatSkipCounts(source.skipped).length > 0 ? ['incomplete'] : []),
  ].join(' ');
  item.accessibilityInformation = { label: `${source.title}, ${item.description}` };
  const icon = transcriptionIcon(recognition.transcription) ?? chooseIcon(source);
  if (icon === undefined) {
    if (origin.kind === 'file' || origin.kind === 'folder' || origin.kind === 'selection')
      item.resourceUri = forIcon(origin.uri);
    // The text of a file on another machine has the icon of that file.
    if (origin.kind === 'copy')
      item.resourceUri = vscode.Uri.from({ scheme: 'open-notebook', path: `/${source.title}` });
    item.iconPath = origin.kind === 'folder' ? vscode.ThemeIcon.Folder : vscode.ThemeIcon.File;
  } else item.iconPath = icon;
  if (!hasParts && state.kind === 'ready') item.command = previewCommand({ kind: 'source', source });
  return item;
}

/** Returns how the menus see a recording of a source. */
function recordingContext({ origin }: Source): string[] {
  return ['recording', ...(recordingChanges(origin).chapters === undefined ? [] : ['generatedChapters'])];
}

/** Returns how the menus see the transcription of a source. */
function transcriptionContext(
  { origin, state, skipped }: Source,
  progress: TranscriptionState | undefined,
): string[] {
  if (progress !== undefined) return [progress.isPaused ? 'transcriptionPaused' : 'transcribing'];
  if (state.kind === 'failed' && state.code === 'no-transcript') return ['untranscribed'];
  return origin.kind === 'folder' && skipped.binary > 0 ? ['mayTranscribe'] : [];
}

/** Returns the item of a folder in a source. Its checkbox is selected if questions include any of its files. */
export function folderItem({ source, folder }: Extract<SourcesNode, { kind: 'folder' }>): vscode.TreeItem {
  const { path, name, documents, included } = folder;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `folder-${source.id}-${path}`;
  item.description = includedInWords(included === 0 ? documents : included, documents);
  item.checkboxState = checkbox(name, included > 0);
  item.contextValue = [
    'folder',
    included > 0 ? 'included' : 'notIncluded',
    ...(source.origin.kind === 'folder' ? ['excludable'] : []),
  ].join(' ');
  item.resourceUri = vscode.Uri.from({ scheme: 'open-notebook', path: `/${path}` });
  item.iconPath = vscode.ThemeIcon.Folder;
  item.accessibilityInformation = { label: `${name}, ${item.description}` };
  return item;
}

type DocumentNode = Extract<SourcesNode, { kind: 'document' }>;

/** Returns the item of a file in a folder. */
export function documentItem(node: DocumentNode, isIncluded: boolean): vscode.TreeItem {
  const { key } = node.document;
  const item = rowFor(node, key.slice(key.lastIndexOf('/') + 1), '', isIncluded);
  if (node.source.origin.kind === 'page') item.iconPath = new vscode.ThemeIcon('markdown');
  return item;
}

/** Returns the item of a page or file of a site: its title and path. */
export function pageItem(node: DocumentNode, isIncluded: boolean): vscode.TreeItem {
  const { key, title, mediaType } = node.document;
  const { pathname, search } = new URL(key);
  const path = pathname + search;
  const item = rowFor(node, title || path, path, isIncluded);
  if (/^text\/(?:html|markdown)|^application\/xhtml/.test(mediaType)) {
    delete item.resourceUri;
    item.iconPath = new vscode.ThemeIcon('browser');
  }
  return item;
}

function rowFor(node: DocumentNode, label: string, place: string, isIncluded: boolean): vscode.TreeItem {
  const { source, document } = node;
  const item = new vscode.TreeItem(label);
  item.id = `document-${String(document.id)}`;
  item.description = [place, passages(document.passages)].filter((part) => part !== '').join(' · ');
  item.checkboxState = checkbox(label, isIncluded);
  item.resourceUri = forIcon(document.uri || document.key);
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = [
    'openable',
    isIncluded ? 'included' : 'notIncluded',
    ...(source.origin.kind === 'folder' ? ['excludable'] : []),
    ...(source.origin.kind === 'folder' && isRecordingType(document.mediaType)
      ? recordingContext(source)
      : []),
  ].join(' ');
  item.command = previewCommand(node);
  return item;
}

/** Returns a checkbox that includes a row in questions. */
function checkbox(name: string, isIncluded: boolean): NonNullable<vscode.TreeItem['checkboxState']> {
  return {
    state: isIncluded ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isIncluded ? vscode.l10n.t('Included in answers') : vscode.l10n.t('Excluded from answers'),
    accessibilityInformation: { label: vscode.l10n.t('Include {0} in answers', name) },
  };
}

/** Returns the command of a click on a row, which shows its document and leaves the focus in the view. */
function previewCommand(node: SourcesNode): vscode.Command {
  return {
    command: 'openNotebook.previewSource',
    title: vscode.l10n.t('Open Source'),
    arguments: [node],
  };
}

/** Returns a URI with the same path, so that the icon theme picks the icon, but other extensions don't decorate it. */
function forIcon(uri: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'open-notebook', path: vscode.Uri.parse(uri).path });
}

/** Returns the icon of a transcription under way; undefined if none is, or a problem paused it. */
function transcriptionIcon(progress: TranscriptionState | undefined): vscode.ThemeIcon | undefined {
  if (progress === undefined || progress.problem !== undefined) return undefined;
  return new vscode.ThemeIcon(progress.isPaused ? 'debug-pause' : 'loading~spin');
}

/** Returns undefined if the icon of the file icon theme fits best. */
function chooseIcon({ origin, state }: Source): vscode.ThemeIcon | undefined {
  // A recording that can be transcribed has the icon of its format.
  if (state.kind === 'failed' && state.code === 'no-transcript') return undefined;
  if (state.kind === 'failed')
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  const name =
    STATE_ICONS[state.kind] ??
    (origin.kind === 'copy' && origin.of === 'folder' ? 'files' : ORIGIN_ICONS[origin.kind]);
  return name === undefined ? undefined : new vscode.ThemeIcon(name);
}

const STATE_ICONS: Readonly<Partial<Record<SourceState['kind'], string>>> = {
  queued: 'clock',
  reading: 'loading~spin',
  paused: 'debug-pause',
};

const ORIGIN_ICONS: Readonly<Partial<Record<SourceKind, string>>> = {
  page: 'globe',
  site: 'globe',
  text: 'note',
  selection: 'list-selection',
};
