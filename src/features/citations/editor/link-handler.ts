import * as vscode from 'vscode';
import type { Citation } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { pathToSource, pathToWords, readLink, type LinkedWords } from '../model/notebook-link.ts';
import type { DocumentEntry, Source } from '../../../core/domain/source.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import type { CitationOpener } from './citation-opener.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { isReplica } from '../../notebooks/editor/team-links.ts';
import { reportError } from '../../../platform/show-errors.ts';
import { isAgreed } from '../../../platform/dialogs.ts';
import { isReallyIn } from '../../../platform/workspace-files.ts';

/** Function of team notebooks that links need. */
interface OfferedNotebooks {
  /**
   * Offers to show a team notebook that isn't on this machine yet, and waits until `isThere`. Returns `false` if the
   * user declines.
   */
  join(id: string, isThere: (notebook: NotebookClient) => Promise<boolean>): Promise<boolean>;
}

interface LinkParts {
  readonly extensionId: string;
  readonly notebooks: Notebooks;
  readonly adder: SourceAdder;
  readonly opener: CitationOpener;
  /** Connected teams, because a link may lead to a notebook of theirs that isn't on this machine yet. */
  readonly teams: OfferedNotebooks;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Handles links to the extension, `vscode://open-notebook.open-notebook/…`, that add a source or open cited text.
 * Anyone can write such a link, so each one needs the user's consent first.
 */
export class LinkHandler implements vscode.UriHandler {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** Returns the link that opens a citation of the current notebook. */
  async toCitation({ sourceId, documentId, span, quote }: Citation): Promise<string> {
    const { shown } = this.#parts.notebooks;
    const words = { notebook: this.#shownId, sourceId, documentId, span, quote };
    if (!isReplica(shown.key)) return this.#makeLink(pathToWords(words));
    // Numbers of documents differ between machines.
    const documents = await shown.call('documents', { sourceId });
    const key = documents.find(({ id }) => id === documentId)?.key;
    return this.#makeLink(pathToWords({ ...words, ...(key !== undefined && { key }) }));
  }

  /** Returns the link that opens a source of the current notebook. */
  toSource({ id }: Source): string {
    return this.#makeLink(pathToSource(this.#shownId, id));
  }

  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    try {
      const link = readLink(path, query);
      if (link.kind === 'add') await this.#add(link.address);
      else await this.#open(link.notebook, link.sourceId, link.kind === 'words' ? link : undefined);
    } catch (error) {
      reportError(error, this.#parts.log);
    }
  }

  async #add(address: string): Promise<void> {
    const isPage = /^https?:/.test(address);
    const uri = isPage ? undefined : await fileInWorkspace(address);
    const shown = uri === undefined ? address : vscode.workspace.asRelativePath(uri);
    const add = vscode.l10n.t('Add');
    const question = isPage
      ? vscode.l10n.t('Add this web page to the notebook?')
      : vscode.l10n.t('Add this file or folder to the notebook?');
    if (!(await askForConsent(question, shown, add))) return;
    // The user agreed to the whole URL, as if they had entered it.
    if (uri === undefined) await this.#parts.adder.addAll({ pages: [address], isNamed: true });
    else await this.#parts.adder.addAll({ uris: [uri] });
  }

  async #open(notebookId: string, sourceId: string, words: LinkedWords | undefined): Promise<void> {
    const { notebooks, opener, teams } = this.#parts;
    const isThere = async (candidate: NotebookClient): Promise<boolean> =>
      (await find(candidate, sourceId, words)).document !== undefined;
    if (
      isReplica(notebookId) &&
      !notebooks.folders.has(notebookId) &&
      !(await teams.join(notebookId, isThere))
    )
      return;
    const notebook = notebooks.client(notebooks.toKey(notebookId));
    const { source, document } = await findLinkedText(notebook, sourceId, words);
    const title = document.key === '' ? source.title : `${source.title}, ${document.key}`;
    const open = vscode.l10n.t('Open');
    if (!(await askForConsent(vscode.l10n.t('Open this source in the notebook?'), title, open))) return;
    if (words === undefined) await opener.in(notebook).openDocument(document);
    else {
      const { span, quote } = words;
      const documentId = document.id;
      const [citation] = await notebook.call('cite', {
        requests: [{ number: 1, documentId, passage: span, span, quote }],
      });
      if (citation === undefined) throw missingError();
      await opener.in(notebook).open(citation);
    }
  }

  get #shownId(): string {
    const { notebooks } = this.#parts;
    return notebooks.toId(notebooks.shown.key);
  }

  #makeLink(path: string): string {
    return `${vscode.env.uriScheme}://${this.#parts.extensionId}${path}`;
  }
}

/**
 * Returns the source and the document that a link names, by default the first document.
 * @throws NotebookError `not-found`
 */
async function findLinkedText(
  notebook: NotebookClient,
  sourceId: string,
  words: LinkedWords | undefined,
): Promise<{ readonly source: Source; readonly document: DocumentEntry }> {
  const { source, document } = await find(notebook, sourceId, words);
  if (source === undefined || document === undefined) throw missingError();
  return { source, document };
}

async function find(
  notebook: NotebookClient,
  sourceId: string,
  words: Pick<LinkedWords, 'documentId' | 'key'> | undefined,
): Promise<{ readonly source: Source | undefined; readonly document: DocumentEntry | undefined }> {
  const source = (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
  const documents = source === undefined ? [] : await notebook.call('documents', { sourceId });
  const isIt = ({ id, key }: DocumentEntry): boolean =>
    words?.key === undefined ? id === words?.documentId : key === words.key;
  return { source, document: words === undefined ? documents[0] : documents.find(isIt) };
}

/**
 * Returns the file or folder at a URI, with links resolved.
 * @throws NotebookError `forbidden` outside of the workspace
 */
async function fileInWorkspace(address: string): Promise<vscode.Uri> {
  const parsed = vscode.Uri.parse(address);
  const uri = vscode.Uri.joinPath(parsed, '.').with({ query: '', fragment: '' });
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || !(await isReallyIn(folder.uri, uri)))
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t('Can’t open this link. It doesn’t point to a web page or to a file in this workspace.'),
    );
  return uri;
}

async function askForConsent(question: string, shown: string, action: string): Promise<boolean> {
  const detail = `${shown}\n\n${vscode.l10n.t('A link from outside the notebook requested this.')}`;
  return await isAgreed(question, action, detail);
}

function missingError(): NotebookError {
  return new NotebookError(
    'not-found',
    vscode.l10n.t('The link target is no longer in the notebook. It may have been removed.'),
  );
}
