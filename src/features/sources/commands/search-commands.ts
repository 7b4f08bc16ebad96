import * as vscode from 'vscode';
import type { GlobalSearchHit } from '../../../index/store/global-search-api.ts';
import { openDocumentPlace, type CitationOpener } from '../../citations/editor/citation-opener.ts';
import type { ChatPages } from '../../chat/editor/chat-pages.ts';
import type { Conversation } from '../../chat/editor/conversation.ts';
import { defaultName, type Notebooks } from '../../notebooks/editor/notebooks.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { PdfViewer } from '../../pdf/editor/pdf-viewer.ts';
import { ago } from '../../../platform/relative-time.ts';
import { chosenFrom } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Delay between the last key and the search, in milliseconds, and the maximum number of results. */
const SEARCH_DELAY = 80;
const MAX_LISTED_HITS = 100;

interface SearchCommandParts {
  readonly notebook: NotebookClient;
  readonly notebooks: Notebooks;
  readonly conversation: Conversation;
  readonly chat: ChatPages;
  readonly opener: CitationOpener;
  readonly pdfs: Pick<PdfViewer, 'show'>;
}

type Hit = GlobalSearchHit & { readonly key: string };

interface Item extends vscode.QuickPickItem {
  /** Undefined for the item that reports that there are no results. */
  readonly hit: Hit | undefined;
}

/** Returns the command that searches sources, notes, answers, and highlights of all notebooks, by name. */
export function searchCommands(
  parts: SearchCommandParts,
): Record<string, (...args: never[]) => Promise<void>> {
  return {
    searchEverything: async () => {
      const hit = await chooseHit(parts);
      if (hit !== undefined) await open(hit, parts);
    },
  };
}

async function chooseHit({ notebook, notebooks }: SearchCommandParts): Promise<Hit | undefined> {
  const named = await notebooks.folders.list();
  const names = new Map(named.map(({ id, name }) => [notebooks.toKey(id), name]));
  const keys = [...new Set([notebook.key, '', ...names.keys()])];
  const searched = keys.map((key) => ({ key, directory: notebooks.directoryFor(key) }));
  // Loads the index while the user enters the first words. The search reports errors, too.
  void notebook.call('prepareEverything', { notebooks: searched }).catch(() => undefined);
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Search All Notebooks');
  picker.placeholder = vscode.l10n.t('Search sources, notes, answers, conversations, and highlights');
  let latest = 0;
  const search = async (): Promise<void> => {
    const requestId = ++latest;
    const words = picker.value;
    picker.busy = true;
    const hits =
      words.trim() === ''
        ? []
        : await notebook.call('searchEverything', { words, limit: MAX_LISTED_HITS, notebooks: searched });
    if (requestId !== latest) return;
    picker.items =
      hits.length > 0
        ? hits.map((hit) => hitItem(hit, names.get(hit.key), hit.key === notebook.key))
        : words.trim() === ''
          ? []
          : [
              {
                label: vscode.l10n.t('No matches. Try fewer or different words.'),
                alwaysShow: true,
                hit: undefined,
              },
            ];
    picker.busy = false;
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await chosenFrom<Hit, Item>(picker, (choose, fail) => {
      picker.onDidChangeValue(() => {
        clearTimeout(timer);
        timer = setTimeout(() => void search().catch(fail), SEARCH_DELAY);
      });
      picker.onDidAccept(() => {
        choose(picker.selectedItems[0]?.hit);
      });
    });
  } finally {
    clearTimeout(timer);
    latest++;
  }
}

const ICONS = {
  answer: 'comment-discussion',
  document: 'search',
  mark: 'edit',
  note: 'note',
  source: 'book',
} as const;

function hitItem(hit: Hit, name: string | undefined, isShown: boolean): Item {
  const where = isShown ? [] : [name ?? defaultName()];
  return {
    label: `$(${ICONS[hit.kind]}) ${literalText(hit.title)}`,
    description: literalText(
      [hit.place ?? '', ...where, ...(hit.at > 0 ? [ago(hit.at)] : [])]
        .filter((part) => part !== '')
        .join(' · '),
    ),
    ...(hit.excerpt !== '' && { detail: literalText(hit.excerpt) }),
    // The results aren't filtered again by the letters that were entered.
    alwaysShow: true,
    hit,
  };
}

async function open(
  hit: Hit,
  { notebook, notebooks, conversation, chat, opener, pdfs }: SearchCommandParts,
): Promise<void> {
  if (hit.kind === 'mark') {
    const marks = (hit.rectangles ?? []).map((rectangle) => ({
      page: rectangle.page,
      rectangles: [rectangle],
    }));
    await pdfs.show(vscode.Uri.parse(hit.id), { marks, current: 0 }, vscode.ViewColumn.Active);
    return;
  }
  if (hit.words !== undefined) {
    await openDocumentPlace(opener, notebooks.client(hit.key), hit.words, vscode.ViewColumn.Active);
    return;
  }
  if (hit.kind === 'note') {
    const uri = noteUri(hit.id, notebooks.client(hit.key));
    const start = new vscode.Position(hit.line ?? 0, 0);
    await vscode.window.showTextDocument(uri, { preview: false, selection: new vscode.Range(start, start) });
    return;
  }
  if (hit.key !== notebook.key) await notebooks.switchTo(hit.key);
  if (hit.kind === 'answer') {
    await conversation.show(hit.id);
    await chat.focus();
    return;
  }
  const source = (await notebook.call('sources', {})).find(({ id }) => id === hit.id);
  if (source !== undefined)
    await vscode.commands.executeCommand('openNotebook.openSource', { kind: 'source', source });
}
