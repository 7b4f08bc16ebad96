import * as vscode from 'vscode';
import { bibliographyOfItem, shortName, type Reference } from '../../../core/domain/bibliography.ts';
import { workCitations } from '../../../core/domain/cite-keys.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import { NOTE_SCHEME, NOTES, type NotebooksByKey } from '../../notes/editor/note-files.ts';
import type { CitationOpener } from './citation-opener.ts';
import { inform } from '../../../platform/dialogs.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Command that opens a reference by its key and the key of the notebook. */
export const OPEN_WORK = 'openNotebook.openWork';

const MAX_COMPLETIONS = 50;

/** Markdown files, which cite references of the window's notebook. */
const MARKDOWN_FILES: vscode.DocumentSelector = [
  { language: 'markdown', scheme: 'file' },
  { language: 'markdown', scheme: 'untitled' },
  { language: 'quarto', scheme: 'file' },
];

interface NotebooksOfWindow extends Pick<NotebooksByKey, 'client'> {
  readonly shown: NotebookClient;
}

/** Completes, describes, and opens references that notes and Markdown files cite by key, such as `[@wang2023]`. */
export class WorkCitations
  extends Disposable
  implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.DocumentLinkProvider
{
  readonly #notebooks: NotebooksOfWindow;
  readonly #opener: CitationOpener;
  /** First references of a notebook, requested when a bracket was typed. */
  #prefetched: { readonly notebook: string; readonly references: Promise<readonly Reference[]> } | undefined;

  constructor(notebooks: NotebooksOfWindow, opener: CitationOpener) {
    super();
    this.#notebooks = notebooks;
    this.#opener = opener;
    this._register(
      vscode.languages.registerCompletionItemProvider(NOTES, this, '[', '@'),
      vscode.languages.registerCompletionItemProvider(MARKDOWN_FILES, this, '[', '@'),
      vscode.languages.registerHoverProvider(NOTES, this),
      vscode.languages.registerHoverProvider(MARKDOWN_FILES, this),
      vscode.languages.registerDocumentLinkProvider(NOTES, this),
      vscode.commands.registerCommand(OPEN_WORK, (key: unknown, notebook: unknown) =>
        typeof key === 'string' ? this.#open(key, typeof notebook === 'string' ? notebook : '') : undefined,
      ),
    );
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const before = document.lineAt(position).text.slice(0, position.character);
    const notebook = this.#notebookOf(document);
    if (before.endsWith('[')) {
      // Until the list appears, Enter inserts a line break. An earlier request makes it appear sooner.
      this.#prefetched = { notebook: notebook.key, references: findReferences(notebook, '') };
      // The completion that awaits the references gets the error.
      this.#prefetched.references.catch(() => undefined);
      return undefined;
    }
    const [, typed] = /\[[^[\]]{0,500}@([^\s@;,[\]]{0,200})$/.exec(before) ?? [];
    if (typed === undefined) return undefined;
    const prefetched = this.#prefetched;
    this.#prefetched = undefined;
    const references = await (typed === '' && prefetched?.notebook === notebook.key
      ? prefetched.references
      : findReferences(notebook, typed));
    const range = new vscode.Range(position.translate(0, -typed.length), position);
    const items = references.map(({ key, item }) => {
      const { title } = item;
      const completion = new vscode.CompletionItem(
        { label: key, description: typeof title === 'string' && title !== '' ? title : shortName(item) },
        vscode.CompletionItemKind.Reference,
      );
      completion.range = range;
      // Also matches words of the title that aren't at the beginning of the key.
      completion.filterText = typed === '' ? key : `${typed} ${key}`;
      completion.detail = shortName(item);
      completion.insertText = key;
      return completion;
    });
    return new vscode.CompletionList(items, true);
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const citedReference = workCitations(document.getText())
      .flatMap(({ works }) => works)
      .find(({ start, end }) => start <= offset && offset < end);
    if (citedReference === undefined) return undefined;
    const notebook = this.#notebookOf(document);
    const [reference] = await notebook.call('references', { keys: [citedReference.key] });
    // In a file, `[@name]` may not be a citation.
    if (reference === undefined && document.uri.scheme !== NOTE_SCHEME) return undefined;
    const range = new vscode.Range(
      document.positionAt(citedReference.start),
      document.positionAt(citedReference.end),
    );
    return new vscode.Hover(hoverCard(citedReference.key, reference, notebook.key), range);
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    return workCitations(document.getText()).flatMap(({ works }) =>
      works.map(({ key, start, end }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const link = new vscode.DocumentLink(range, commandUri(key, document.uri.authority));
        link.tooltip = vscode.l10n.t('Open reference');
        return link;
      }),
    );
  }

  /** Returns the notebook of a note, or the window's for a file. */
  #notebookOf({ uri }: vscode.TextDocument): NotebookClient {
    return uri.scheme === NOTE_SCHEME ? this.#notebooks.client(uri.authority) : this.#notebooks.shown;
  }

  async #open(key: string, notebookKey: string): Promise<void> {
    await showErrors(async () => {
      const notebook = this.#notebooks.client(notebookKey);
      const [reference] = await notebook.call('references', { keys: [key] });
      if (reference === undefined) inform(unknown(key));
      else await this.#openReference(reference, notebook);
    });
  }

  /** Opens the document of a reference, or its entry in the library. */
  async #openReference({ documentId, library }: Reference, notebook: NotebookClient): Promise<void> {
    const shown = documentId ?? library?.documentId;
    const entry =
      shown === undefined ? undefined : await notebook.call('documentEntry', { documentId: shown });
    if (entry === undefined) return;
    if (documentId !== undefined || library === undefined || entry.uri === '')
      await this.#opener.in(notebook).openDocument(entry);
    else {
      const selection = new vscode.Range(library.line, 0, library.line, 0);
      await vscode.window.showTextDocument(vscode.Uri.parse(entry.uri), { selection });
    }
  }
}

/** Returns the references whose key, title, or authors match the words; the first ones for no words. */
async function findReferences(notebook: NotebookClient, words: string): Promise<readonly Reference[]> {
  return notebook.call('findReferences', { words, limit: MAX_COMPLETIONS });
}

function hoverCard(
  key: string,
  reference: Reference | undefined,
  notebookKey: string,
): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  if (reference === undefined) return card.appendText(unknown(key));
  card.isTrusted = { enabledCommands: [OPEN_WORK] };
  const { item, documentId } = reference;
  const { title, doi } = bibliographyOfItem(item);
  const container = item['container-title'];
  card
    .appendMarkdown('**')
    .appendText(title ?? key)
    .appendMarkdown('**\n\n');
  card.appendText(
    [
      shortName(item),
      ...(typeof container === 'string' ? [container] : []),
      ...(doi === undefined ? [] : [`doi:${doi}`]),
    ].join(' · '),
  );
  const label = documentId === undefined ? vscode.l10n.t('Open Entry') : vscode.l10n.t('Open');
  return card.appendMarkdown(`\n\n[${label}](${commandUri(key, notebookKey).toString()})`);
}

function commandUri(key: string, notebookKey: string): vscode.Uri {
  return vscode.Uri.parse(`command:${OPEN_WORK}?${encodeURIComponent(JSON.stringify([key, notebookKey]))}`);
}

function unknown(key: string): string {
  return vscode.l10n.t(
    'No source in this notebook has the citation key “{0}”. Add the reference, or the .bib file that lists it.',
    key,
  );
}
