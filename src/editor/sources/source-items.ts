import * as vscode from 'vscode';
import { isOpenedAsReading } from '../../notebook/media-types.ts';
import type { DocumentEntry, Source, SourceKind, SourceState } from '../../notebook/source.ts';
import {
  describe,
  hasDocuments,
  passages,
  passedOverInAll,
  rowLabel,
  tooltip,
  type RecognitionState,
} from './source-words.ts';

/** What stands in the Sources view. */
export type SourcesNode =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'document'; readonly source: Source; readonly document: DocumentEntry };

/** A source with its state, and whether it is asked. */
export function sourceItem(
  source: Source,
  isTicked: boolean,
  recognition: RecognitionState,
): vscode.TreeItem {
  const { origin, state } = source;
  const hasParts = hasDocuments(origin);
  const item = new vscode.TreeItem(
    rowLabel(source),
    hasParts && source.documents > 0
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None,
  );
  item.id = source.id;
  item.checkboxState = {
    state: isTicked ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isTicked ? vscode.l10n.t('Is asked') : vscode.l10n.t('Is not asked'),
    accessibilityInformation: { label: vscode.l10n.t('Ask {0}', source.title) },
  };
  item.description = describe(source, recognition);
  // That of a single document also tells what of it could not be read.
  if (hasParts) item.tooltip = tooltip(source);
  item.contextValue = [
    'source',
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
    ...(origin.kind === 'folder' && passedOverInAll(source.skipped).length > 0 ? ['incomplete'] : []),
  ].join(' ');
  item.accessibilityInformation = { label: `${source.title}, ${item.description}` };
  const icon = chooseIcon(source);
  if (icon === undefined) {
    if (origin.kind === 'file' || origin.kind === 'folder' || origin.kind === 'selection')
      item.resourceUri = forIcon(origin.uri);
    item.iconPath = origin.kind === 'folder' ? vscode.ThemeIcon.Folder : vscode.ThemeIcon.File;
  } else item.iconPath = icon;
  if (!hasParts && state.kind === 'ready')
    item.command = {
      command: 'openNotebook.openSource',
      title: vscode.l10n.t('Open Source'),
      arguments: [{ kind: 'source', source }],
    };
  return item;
}

type DocumentNode = Extract<SourcesNode, { kind: 'document' }>;

/** A file of a folder, by its path there. */
export function documentItem(node: DocumentNode): vscode.TreeItem {
  const { key, uri, mediaType } = node.document;
  const slash = key.lastIndexOf('/');
  const item = rowFor(node, key.slice(slash + 1), key.slice(0, Math.max(0, slash)));
  if (node.source.origin.kind === 'page') item.iconPath = new vscode.ThemeIcon('markdown');
  else if (uri !== '' && !isOpenedAsReading(mediaType))
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open'),
      arguments: [vscode.Uri.parse(uri)],
    };
  return item;
}

/** A page or file of a site: its title and path; it opens as the copy that was kept. */
export function pageItem(node: DocumentNode): vscode.TreeItem {
  const { key, title, mediaType } = node.document;
  const { pathname, search } = new URL(key);
  const path = pathname + search;
  const item = rowFor(node, title || path, path);
  if (/^text\/(?:html|markdown)|^application\/xhtml/.test(mediaType)) {
    delete item.resourceUri;
    item.iconPath = new vscode.ThemeIcon('browser');
  }
  return item;
}

function rowFor(node: DocumentNode, label: string, place: string): vscode.TreeItem {
  const { document } = node;
  const item = new vscode.TreeItem(label);
  item.id = `document-${String(document.id)}`;
  item.description = [place, passages(document.passages)].filter((part) => part !== '').join(' · ');
  item.resourceUri = forIcon(document.uri || document.key);
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'openable';
  item.command = { command: 'openNotebook.openSource', title: vscode.l10n.t('Open'), arguments: [node] };
  return item;
}

/** An address by whose name the icon theme picks an icon, and that other extensions do not decorate. */
function forIcon(uri: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'open-notebook', path: vscode.Uri.parse(uri).path });
}

/** Undefined where the file icon theme tells best. */
function chooseIcon({ origin, state }: Source): vscode.ThemeIcon | undefined {
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
  copy: 'file',
};
