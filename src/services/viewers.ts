import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { CitationOpener, type CitedNotebook } from '../features/citations/editor/citation-opener.ts';
import { CitedOutput } from '../features/citations/editor/cited-output.ts';
import { FigureSources } from '../features/citations/editor/figure-sources.ts';
import { Highlighter } from '../features/citations/editor/highlight.ts';
import { LinkHandler } from '../features/citations/editor/link-handler.ts';
import { NotebookCells } from '../features/citations/editor/notebook-cells.ts';
import { editorOriginals } from '../features/citations/editor/originals.ts';
import { PageViewer } from '../features/citations/editor/page-viewer.ts';
import { WebPdfs } from '../features/citations/editor/web-pdfs.ts';
import { originIn } from '../platform/copy-files.ts';
import { inform, offer } from '../platform/dialogs.ts';
import { setContextKey } from '../platform/menu-contexts.ts';
import { PdfPositions } from '../features/pdf/editor/pdf-positions.ts';
import { PdfViewer } from '../features/pdf/editor/pdf-viewer.ts';
import { Player } from '../features/recordings/editor/player.ts';
import { showErrors } from '../platform/show-errors.ts';
import { joinByLink } from '../features/team/editor/join-by-link.ts';
import { lastSegment, readContent } from '../platform/workspace-files.ts';
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
    onMarksSaved: (document, pdf) => void reader.readMarked(document, pdf),
    saveMarked: (pdf, marked) => {
      void (async () => {
        const { saveMarked } = await import('../features/chat/editor/save-marked.ts');
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
      const { readTranscript } = await import('../features/recordings/editor/read-transcript.ts');
      return await readTranscript(readers, transcripts, uri);
    },
    isOpen: (key) => notebook.key === key,
    renameSpeakers,
    generateChapters,
    removeChapters,
    saveClip: async (...clip) => {
      const { saveClip } = await import('../features/chat/editor/save-clip.ts');
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
