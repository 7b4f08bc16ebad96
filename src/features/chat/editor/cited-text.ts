import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import type { CitationCard, CitationReference, CitedTextApi } from '../protocol.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { citedPassage, type Citation } from '../../../core/domain/answer.ts';
import type { CitationOpener } from '../../citations/editor/citation-opener.ts';
import type { FigureSources } from '../../citations/editor/figure-sources.ts';
import type { LinkHandler } from '../../citations/editor/link-handler.ts';
import { openLink } from '../../../platform/workspace-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { InsertTarget } from './insert-target.ts';
import { showErrors } from '../../../platform/show-errors.ts';

/** Services that handle requests about cited text. */
export interface CitedTextParts {
  readonly extensionUri: vscode.Uri;
  readonly notebook: NotebookClient;
  readonly opener: CitationOpener;
  readonly figures: FigureSources;
  readonly insertTarget: InsertTarget;
  readonly links: LinkHandler;
}

/** Texts of a page, by the IDs that its requests use. */
export interface CitedTexts {
  /** @throws NotebookError `not-found` */
  citation(textId: string, index: number): Promise<Citation>;
  /** Returns the citations of a text that still apply. */
  findStanding(textId: string): Promise<readonly Citation[]>;
  /** Finds passages similar to a citation. */
  findMoreLike(cited: Citation): unknown;
}

/** Webview of a page, and the column for its citations. */
export interface CitingPlace {
  readonly webview: vscode.Webview;
  /** Column for citations that aren't opened to the side. */
  readonly citationColumn: () => vscode.ViewColumn;
}

/** Returns the handlers for cited text in the page at a place. */
export function citedTextHandlers(
  { extensionUri, notebook, opener, figures, insertTarget, links }: CitedTextParts,
  texts: CitedTexts,
  { webview, citationColumn }: CitingPlace,
): Handlers<CitedTextApi> {
  const cited = ({ turnId, citation }: CitationReference): Promise<Citation> =>
    texts.citation(turnId, citation);
  const chooseColumn = (beside: boolean): vscode.ViewColumn =>
    beside ? vscode.ViewColumn.Beside : citationColumn();
  return {
    openCitation: ({ beside, ...reference }) =>
      showErrors(async () =>
        opener.open(await cited(reference), chooseColumn(beside), await texts.findStanding(reference.turnId)),
      ),
    findMoreLike: async (reference) => void texts.findMoreLike(await cited(reference)),
    citationCard: async (reference) => citationCard(notebook, await cited(reference)),
    figure: async (reference) => figures.open(await cited(reference), webview),
    figureBytes: (request) => figures.bytes(request),
    openFigure: ({ beside, ...reference }) =>
      showErrors(async () => {
        const citation = await cited(reference);
        const { span, quote, locator } = await figures.placeFigure(citation);
        await opener.open({ ...citation, span, quote, locator }, chooseColumn(beside));
      }),
    insertCode: ({ code }) => insertTarget.insert(code),
    diagramProgram: () => diagramProgram(extensionUri),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    copyLink: async (reference) =>
      vscode.env.clipboard.writeText(await links.toCitation(await cited(reference))),
    openLink: ({ url }) => openLink(url),
  };
}

/** Returns the cited text with its surroundings, or as it was cited if the source no longer contains it. */
async function citationCard(notebook: NotebookClient, cited: Citation): Promise<CitationCard> {
  const { documentId, sourceId, span, quote, title, place } = cited;
  const around = await notebook.call('surroundings', { documentId, sourceId, span, quote });
  if (around !== undefined) return { title, place, ...around, note: undefined };
  return {
    title,
    place,
    ...citedPassage(cited),
    doubtful: [],
    note: vscode.l10n.t('The source has changed or was removed. The text is shown as it was cited.'),
  };
}

/**
 * Returns the program that draws diagrams, which runs in its own frame. It is compressed, because few users need it.
 */
async function diagramProgram(extensionUri: vscode.Uri): Promise<string> {
  const packed = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(extensionUri, 'dist', 'diagrams.js.br'),
  );
  return (await promisify(brotliDecompress)(packed)).toString('utf8');
}
