import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { CitationOpener, type CitedNotebook } from '../citations/citation-opener.ts';
import { CitedOutput } from '../citations/cited-output.ts';
import { FigureSources } from '../citations/figure-sources.ts';
import { Highlighter } from '../citations/highlight.ts';
import { LinkHandler } from '../citations/link-handler.ts';
import { NotebookCells } from '../citations/notebook-cells.ts';
import { editorOriginals } from '../citations/originals.ts';
import { PageViewer } from '../citations/page-viewer.ts';
import { WebPdfs } from '../citations/web-pdfs.ts';
import { originIn } from '../copy-files.ts';
import { inform, offer } from '../dialogs.ts';
import { setContextKey } from '../menu-contexts.ts';
import { PdfPositions } from '../pdf/pdf-positions.ts';
import { PdfViewer } from '../pdf/pdf-viewer.ts';
import { Player } from '../recordings/player.ts';
import { showErrors } from '../show-errors.ts';
import { joinByLink } from '../team/join-by-link.ts';
import { lastSegment, readContent } from '../workspace-files.ts';
import type { Platform } from './platform.ts';
import type { SourceServices } from './sources.ts';
import type { TeamServices } from './team.ts';

/** Viewers of sources, and what opens citations in them. */
export interface ViewerServices {
  readonly pdfs: PdfViewer;
  readonly player: Player;
  readonly opener: CitationOpener;
  readonly figures: FigureSources;
  /** Opens links to sources, citations, and team notebooks. */
  readonly links: LinkHandler;
}

/** Creates the services that show sources. */
export function createViewerServices(
  platform: Platform,
  { teams }: TeamServices,
  {
    adder,
    passwords,
    reader,
    readers,
    generateChapters,
    removeChapters,
    renameSpeakers,
    transcripts,
  }: SourceServices,
): ViewerServices {
  const { extensionUri, globalState, copies, notebook, notebooks, log, showError } = platform;
  const highlighter = new Highlighter();
  const pdfs = new PdfViewer({
    extensionUri,
    passwords,
    memory: globalState,
    positions: new PdfPositions(globalState),
    unsaved: vscode.Uri.joinPath(platform.workspaceStorageUri ?? platform.storageUri, 'unsaved-annotations'),
    notebook,
    readers,
    webAddress: async (uri) => {
      const folder = dirname(uri.fsPath);
      return dirname(folder) === copies.pdfs ? ((await originIn(folder))?.uri ?? uri.toString()) : undefined;
    },
    onMarksKept: (document, pdf) => void reader.readMarked(document, pdf),
    saveMarked: (pdf, marked) => {
      void (async () => {
        const { saveMarked } = await import('../chat/save-marked.ts');
        const { uri } = await copies.findOriginal(pdf);
        await saveMarked(notebook, uri, marked);
      })().catch(showError);
    },
    pdfOfPicture: async (uri) =>
      readers.pdfOfPicture({ content: await readContent(uri), name: lastSegment(uri) }),
  });
  const pages = new PageViewer(extensionUri, notebooks);
  const player = new Player({
    extensionUri,
    notebooks,
    describeRecording: (file) => readers.describeRecording(file),
    readFile: async (uri) => {
      const { readTranscript } = await import('../recordings/read-transcript.ts');
      return await readTranscript(readers, transcripts, uri);
    },
    isOpen: (key) => notebook.key === key,
    renameSpeakers,
    generateChapters,
    removeChapters,
    saveClip: async (...clip) => {
      const { saveClip } = await import('../chat/save-clip.ts');
      await saveClip(...clip);
    },
  });
  const citedOutput = new CitedOutput();
  const webPdfs = new WebPdfs(copies.pdfs);
  const opener = new CitationOpener<CitedNotebook>({
    notebook,
    find: (of, cited) => of.call('find', cited),
    readText: async (of, documentId) => (await of.call('document', { documentId })).text,
    originals: editorOriginals(highlighter, pdfs),
    activeColumn: vscode.ViewColumn.Active,
    cells: new NotebookCells(highlighter, citedOutput),
    pages,
    player,
    copyPdf: async (of, pdf) => (await webPdfs.provideCopy(of, pdf)).toString(),
    inform,
    offer: (message, action, run) => void offer(message, action, () => showErrors(run)),
    onFollowed: () => void setContextKey('followedCitation', true),
  });
  const links = new LinkHandler({
    extensionId: platform.extensionId,
    notebooks,
    teams: { join: (id, isThere) => joinByLink({ notebooks, teams }, id, isThere) },
    adder,
    opener,
    log,
  });
  platform.subscriptions.push(
    ...[highlighter, pdfs, pages, player, citedOutput],
    vscode.window.registerUriHandler(links),
  );
  return {
    ...{ pdfs, player, opener, links },
    figures: new FigureSources({ extensionUri, notebook, passwords, pdfCopies: copies.pdfs, readers }),
  };
}
