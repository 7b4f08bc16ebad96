import * as v from 'valibot';
import * as vscode from 'vscode';
import type { MapState, MapView, MapHostApi, MapPageApi } from '../protocol.ts';
import { noteTitle } from '../../../core/domain/note.ts';
import {
  compareVersions,
  MAP_ARTIFACTS,
  relationStatement,
  type DocumentPlace,
  type MapNode,
  type MapArtifactKind,
  type ArtifactMap,
} from '../../../core/domain/artifact.ts';
import { artifactLabels } from '../model/names.ts';
import { openDocumentPlace, type CitationOpener } from '../../citations/editor/citation-opener.ts';
import { columnBeside } from '../../chat/editor/chat-tabs.ts';
import type { NotebooksByKey } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { webviewHtml } from '../../../platform/webview-page.ts';
import { writeAt } from '../../../platform/write-file.ts';
import { withGenerationProgress, type ArtifactRequest } from './generate-artifact.ts';
import { showSources } from './show-sources.ts';
import { askWhereToWrite, inform, showMarkdown } from '../../../platform/dialogs.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';
import { pageTabs } from '../../../platform/page-tabs.ts';

/** Schema for `StoredMapState`. */
const mapState = v.pipe(
  v.object({
    thing: v.picklist(MAP_ARTIFACTS),
    notebook: v.string(),
    sourceIds: v.optional(v.array(v.string())),
  }),
  v.transform(({ thing: kind, ...state }) => ({ ...state, kind })),
);

interface MapParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: NotebooksByKey;
  readonly opener: CitationOpener;
  readonly reportError: (error: unknown) => void;
}

/** Maps of sources in editor tabs: their headings, or their terms. */
export interface MapViews {
  /** Generates a map and shows it. @throws NotebookError `empty` */
  readonly show: (
    notebook: NotebookClient,
    wish: ArtifactRequest & { readonly artifact: MapArtifactKind },
  ) => Promise<void>;
  readonly dispose: () => void;
}

/** Manages maps in editor tabs; a map that VS Code restores is generated again. */
export function mapViews(parts: MapParts): MapViews {
  const tabs = pageTabs<MapState>({
    extensionUri: parts.extensionUri,
    viewType: 'openNotebook.studio',
    schema: mapState,
    fill: (panel, state) => fillMap(parts, panel, state, undefined),
  });
  return {
    show: async (notebook, { artifact, title, sourceIds }) => {
      const map = await withGenerationProgress(vscode.l10n.t('Generating “{0}”', title), (options) =>
        notebook.call('mapArtifact', { artifact, sourceIds }, options),
      );
      if (map === undefined) return;
      await tabs.show({ kind: artifact, sourceIds, notebook: notebook.key }, title, (panel, state) =>
        fillMap(parts, panel, state, map),
      );
    },
    dispose: tabs.dispose,
  };
}

async function fillMap(
  { extensionUri, notebooks, opener, reportError: tellError }: MapParts,
  panel: vscode.WebviewPanel,
  state: MapState,
  generatedMap: ArtifactMap | undefined,
): Promise<void> {
  const { connectToPage } = await import('../../../platform/webview-channel.ts');
  const notebook = notebooks.client(state.notebook);
  const { kind: artifact, sourceIds } = state;
  let map = generatedMap;
  const view = async (): Promise<MapView> => {
    map ??= await notebook.call('mapArtifact', { artifact, sourceIds });
    return { ...state, title: panel.title, of: await showSources(notebook, sourceIds), map };
  };
  const look = async (): Promise<void> => {
    if (map === undefined || !isReady) return;
    const difference = compareVersions(map.documents, await notebook.call('currentVersions', { sourceIds }));
    channel.remote.notify('changed', { difference });
  };
  let isReady = false;
  const reportingErrors = (work: Promise<void>): Promise<void> => work.catch(tellError);
  const channel = connectToPage<MapHostApi, MapPageApi>(panel, {
    ready: async () => {
      const shown = await view();
      isReady = true;
      void reportingErrors(look());
      return shown;
    },
    open: ({ place, beside }) =>
      reportingErrors(
        openPlace(opener, notebook, place, beside ? columnBeside(panel) : vscode.ViewColumn.Active),
      ),
    updateFromSources: async () => {
      const fresh = await withGenerationProgress(vscode.l10n.t('Updating “{0}”', panel.title), (options) =>
        notebook.call('mapArtifact', { artifact, sourceIds }, options),
      );
      map = fresh ?? map;
      return await view();
    },
    saveSvg: ({ svg }) => reportingErrors(saveSvg(panel.title, svg)),
    openMarkdown: async () => {
      const { nodes } = (await view()).map;
      await showMarkdown(mapAsMarkdown(panel.title, nodes));
    },
  });
  const following = notebooks.onDidChange((changed) => {
    if (changed.key === state.notebook) void reportingErrors(look());
  });
  panel.onDidDispose(() => {
    following.dispose();
    channel.dispose();
  });
  panel.webview.html = webviewHtml(panel.webview, extensionUri, 'maps');
}

async function openPlace(
  opener: CitationOpener,
  notebook: NotebookClient,
  { documentId, start, end }: DocumentPlace,
  column: vscode.ViewColumn,
): Promise<void> {
  const { text } = await notebook.call('document', { documentId });
  const words = { documentId, span: { start, end }, quote: text.slice(start, end) };
  await openDocumentPlace(opener, notebook, words, column);
}

async function saveSvg(title: string, svg: string): Promise<void> {
  const name = noteTitle(title) || artifactLabels('mindMap').name;
  const uri = await askWhereToWrite(vscode.l10n.t('Export as SVG'), { kind: 'SVG', name, ending: 'svg' });
  if (uri === undefined) return;
  await writeAt(uri, new TextEncoder().encode(svg));
  inform(vscode.l10n.t('Exported “{0}” to {1}.', title, lastSegment(uri)));
}

/** Returns a map as nested items, which mind map programs can read. */
function mapAsMarkdown(title: string, nodes: readonly MapNode[]): string {
  let parent = '';
  const items = nodes.map((node) => {
    const item = `${'  '.repeat(node.depth)}- ${relationStatement(node, parent)}`;
    if (node.depth === 0) parent = node.title;
    return item;
  });
  return `# ${title}\n\n${items.join('\n')}\n`;
}
