import * as v from 'valibot';
import * as vscode from 'vscode';
import type { MapState, MapView, StudioHostApi, StudioPageApi } from '../../messages/studio.ts';
import { noteTitle } from '../../notebook/note.ts';
import {
  compareVersions,
  MAP_THINGS,
  type DocumentPlace,
  type MapNode,
  type MapThing,
  type StudioMap,
} from '../../notebook/studio.ts';
import { thingWords } from '../../studio/names.ts';
import type { CitationOpener } from '../citations/citation-opener.ts';
import { columnBeside } from '../chat/chat-tabs.ts';
import type { NotebooksByKey } from '../notes/note-files.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { webviewHtml, webviewOptions } from '../webview-page.ts';
import { writeAt } from '../write-file.ts';
import { whileMaking, type StudioWish } from './make-thing.ts';
import { tellSources } from './tell-sources.ts';

const VIEW_TYPE = 'openNotebook.studio';

const mapState = v.object({
  thing: v.picklist(MAP_THINGS),
  notebook: v.string(),
  sourceIds: v.optional(v.array(v.string())),
});

interface MapParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: NotebooksByKey;
  readonly opener: CitationOpener;
  readonly tellError: (error: unknown) => void;
}

/** Maps of sources in editor tabs: their headings, or their terms. */
export class MapViews implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: MapParts;
  readonly #registration: vscode.Disposable;

  constructor(parts: MapParts) {
    this.#parts = parts;
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Makes a map and shows it. @throws NotebookError `empty` */
  async show(
    notebook: NotebookClient,
    { thing, title, sourceIds }: StudioWish & { readonly thing: MapThing },
  ): Promise<void> {
    const map = await whileMaking(vscode.l10n.t('Making “{0}”', title), (options) =>
      notebook.call('mapThing', { thing, sourceIds }, options),
    );
    if (map === undefined) return;
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      title,
      vscode.ViewColumn.Active,
      webviewOptions(this.#parts.extensionUri),
    );
    await this.#fill(panel, { thing, sourceIds, notebook: notebook.key }, map);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (!v.is(mapState, state)) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.#parts.extensionUri);
    await this.#fill(panel, state, undefined);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #fill(panel: vscode.WebviewPanel, state: MapState, made: StudioMap | undefined): Promise<void> {
    const { extensionUri, notebooks, tellError } = this.#parts;
    const { connectToPage } = await import('../webview-channel.ts');
    const notebook = notebooks.client(state.notebook);
    const { thing, sourceIds } = state;
    let map = made;
    const view = async (): Promise<MapView> => {
      map ??= await notebook.call('mapThing', { thing, sourceIds });
      return { ...state, title: panel.title, of: await tellSources(notebook, sourceIds), map };
    };
    const look = async (): Promise<void> => {
      if (map === undefined || !isReady) return;
      const difference = compareVersions(map.madeOf, await notebook.call('madeOfNow', { sourceIds }));
      channel.remote.notify('changed', { difference });
    };
    let isReady = false;
    const telling = (work: Promise<void>): Promise<void> => work.catch(tellError);
    const channel = connectToPage<StudioHostApi, StudioPageApi>(panel, {
      ready: async () => {
        const shown = await view();
        isReady = true;
        void telling(look());
        return shown;
      },
      open: ({ place, beside }) =>
        telling(this.#open(notebook, place, beside ? columnBeside(panel) : vscode.ViewColumn.Active)),
      bringUpToDate: async () => {
        const fresh = await whileMaking(vscode.l10n.t('Bringing “{0}” up to date', panel.title), (options) =>
          notebook.call('mapThing', { thing, sourceIds }, options),
        );
        map = fresh ?? map;
        return await view();
      },
      saveSvg: ({ svg }) => telling(saveSvg(panel.title, svg)),
      openMarkdown: async () => {
        const { nodes } = (await view()).map;
        const content = mapAsMarkdown(panel.title, nodes);
        await vscode.window.showTextDocument(
          await vscode.workspace.openTextDocument({ language: 'markdown', content }),
        );
      },
    });
    const following = notebooks.onDidChange((changed) => {
      if (changed.key === state.notebook) void telling(look());
    });
    panel.onDidDispose(() => {
      following.dispose();
      channel.dispose();
    });
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'studio');
  }

  async #open(notebook: NotebookClient, place: DocumentPlace, column: vscode.ViewColumn): Promise<void> {
    const { documentId, start, end } = place;
    const { text } = await notebook.call('document', { documentId });
    const span = { start, end };
    const quote = text.slice(start, end);
    const request = { number: 1, documentId, passage: span, span, quote };
    const [citation] = await notebook.call('cite', { requests: [request] });
    if (citation !== undefined) await this.#parts.opener.in(notebook).open(citation, column);
  }
}

async function saveSvg(title: string, svg: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  const name = `${noteTitle(title) || thingWords('mindMap').name}.svg`;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export as SVG'),
    filters: { SVG: ['svg'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return;
  await writeAt(uri, new TextEncoder().encode(svg));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('“{0}” was exported to {1}.', title, uri.path.slice(uri.path.lastIndexOf('/') + 1)),
  );
}

/** A map as nested items, as mind map programs read them. */
function mapAsMarkdown(title: string, nodes: readonly MapNode[]): string {
  const items = nodes.map((node) => `${'  '.repeat(node.depth)}- ${node.title}`);
  return `# ${title}\n\n${items.join('\n')}\n`;
}
