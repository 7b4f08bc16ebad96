import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { AddReports } from './editor/sources/add-reports.ts';
import { SourceAdder } from './editor/sources/add-sources.ts';
import { answerTurn, type TurnAnswerer } from './editor/chat/answer-turn.ts';
import { SuggestedQuestions } from './editor/chat/suggested-questions.ts';
import { AnswerChecks } from './editor/chat/answer-checks.ts';
import { FactCheckConsent } from './editor/chat/fact-check-consent.ts';
import { AnswerModels } from './editor/chat/answer-model.ts';
import { registerChatFallback } from './editor/agents/chat-fallback.ts';
import { registerParticipant } from './editor/agents/chat-participant.ts';
import { ChatPages } from './editor/chat/chat-pages.ts';
import { ChatTabs } from './editor/chat/chat-tabs.ts';
import { ChatView } from './editor/chat/chat-view.ts';
import { FigureSources } from './editor/citations/figure-sources.ts';
import { CitationOpener, type CitedNotebook } from './editor/citations/citation-opener.ts';
import { editorOriginals } from './editor/citations/originals.ts';
import { CitedOutput } from './editor/citations/cited-output.ts';
import type { CommandParts } from './editor/commands/command-parts.ts';
import { registerCommands } from './editor/commands/commands.ts';
import { questionParts } from './editor/commands/question-commands.ts';
import { Conversation } from './editor/chat/conversation.ts';
import { CrawlReports } from './editor/sources/crawl-report.ts';
import { embedWith, modelProviders } from './editor/models/providers.ts';
import { embeddedNotebook, Embedder } from './editor/models/embedder.ts';
import { EmbeddingConsent } from './editor/models/embedding-consent.ts';
import { FailureReports } from './editor/sources/failure-reports.ts';
import { GitLabAccounts } from './editor/sources/gitlab-accounts.ts';
import { DroppedSources } from './editor/sources/dropped-sources.ts';
import { InstalledModels } from './editor/models/installed-models.ts';
import { meaningProcess } from './editor/models/meaning-process.ts';
import { Highlighter } from './editor/citations/highlight.ts';
import { KnowledgeImporter } from './editor/sources/import-knowledge.ts';
import { InsertTarget } from './editor/chat/insert-target.ts';
import { followRenames } from './editor/sources/moved-sources.ts';
import { StoredCopies } from './editor/sources/stored-copies.ts';
import { LinkHandler } from './editor/citations/link-handler.ts';
import { Library } from './editor/library.ts';
import { CitationChips } from './editor/citations/citation-chips.ts';
import { NoteCitations } from './editor/citations/note-citations.ts';
import { WorkCitations } from './editor/citations/work-citations.ts';
import { NoteLinks } from './editor/notes/note-links.ts';
import { NoteFiles, NOTE_SCHEME } from './editor/notes/note-files.ts';
import { passageFinder } from './answering/retrieving/notebook-finder.ts';
import { setContextKey } from './editor/menu-contexts.ts';
import { NotebookCells } from './editor/citations/notebook-cells.ts';
import { NotebookClient } from './editor/notebook-client.ts';
import { registerNotebookTools } from './editor/agents/notebook-tools.ts';
import { NoteCorrections } from './editor/chat/note-corrections.ts';
import { NoteExporter, type DrawFigure } from './editor/notes/note-exporter.ts';
import { NotesView } from './editor/notes/notes-view.ts';
import { GeneratedNoteCodeLens } from './editor/studio/generated-notes.ts';
import * as flashcards from './features/flashcards/index.ts';
import * as researchProjects from './features/research/index.ts';
import * as tables from './features/tables/index.ts';
import { mapViews } from './editor/studio/map-view.ts';
import { showErrors, reportError } from './editor/show-errors.ts';
import type { Source } from './notebook/source.ts';
import { PageViewer } from './editor/citations/page-viewer.ts';
import {
  askToTranscribe,
  showTranscriptionProblem,
  type TranscribeParts,
} from './editor/recordings/ask-to-transcribe.ts';
import { Transcription } from './editor/recordings/transcription.ts';
import { Player } from './editor/recordings/player.ts';
import { PdfPasswords } from './editor/pdf/pdf-passwords.ts';
import { PdfPositions } from './editor/pdf/pdf-positions.ts';
import { PdfViewer } from './editor/pdf/pdf-viewer.ts';
import { showName } from './editor/commands/notebook-commands.ts';
import { originIn } from './editor/copy-files.ts';
import { NotebookMemento, Notebooks } from './editor/notebooks/notebooks.ts';
import { PrivateHosts } from './editor/sources/private-hosts.ts';
import { ProcessOnDemand } from './editor/process-on-demand.ts';
import { RECOGNISER, TextRecognition } from './editor/recognition/text-recognition.ts';
import { originalContent } from './editor/sources/original-reader.ts';
import { RecognitionLanguages } from './editor/recognition/recognition-languages.ts';
import { ReaderPool } from './editor/sources/reader-pool.ts';
import { setTranslation } from './messages/translation.ts';
import { registerMcpServer } from './editor/agents/mcp-server.ts';
import { ModelChoices } from './editor/models/model-choice.ts';
import { ModelFigures } from './editor/chat/model-figures.ts';
import { ModelOffer } from './editor/chat/model-offer.ts';
import { SemanticSearchOffer } from './editor/chat/semantic-search-offer.ts';
import { PageReports } from './editor/sources/page-reports.ts';
import { ReadReports } from './editor/chat/read-reports.ts';
import { Sample } from './editor/sources/sample.ts';
import { SharedFollower } from './editor/notebooks/shared-follower.ts';
import { ScopeChoice } from './editor/sources/scope-choice.ts';
import {
  checksWithModel,
  suggestingModels,
  embeddingModel,
  indexSettings,
  meaningModel,
  onDidChange,
  passageSettings,
  recognitionAddress,
  recognitionLanguages,
} from './editor/settings.ts';
import { SiteReader } from './editor/sources/site-reader.ts';
import { SourceReader } from './editor/sources/source-reader.ts';
import { Threads } from './editor/sources/threads.ts';
import { SourcesDrop } from './editor/sources/sources-drop.ts';
import { SourcesView } from './editor/sources/sources-view.ts';
import { Exclusions } from './editor/sources/exclusions.ts';
import { SourceRemovals } from './editor/sources/source-removals.ts';
import { StatusReport } from './editor/sources/status-report.ts';
import { SourceWatcher } from './editor/sources/source-watcher.ts';
import { showActivity } from './editor/sources/status-bar.ts';
import { TeamFollower } from './editor/team/team-follower.ts';
import { SideBySideVersions } from './editor/notes/side-by-side.ts';
import { markShared } from './editor/chat/shared-mark.ts';
import { joinByLink } from './editor/team/join-by-link.ts';
import { Teams } from './editor/team/teams.ts';
import { roots } from './editor/commands/notebook-places.ts';
import { UsageMeter } from './editor/models/usage-meter.ts';
import { UsageReports } from './editor/models/usage-reports.ts';
import { WebPdfs } from './editor/citations/web-pdfs.ts';
import { lastSegment, readContent } from './editor/workspace-files.ts';
import { NotebookFolders } from './indexing/library/notebook-folders.ts';
import { inform, offer, showWarning } from './editor/dialogs.ts';

let close: (() => Promise<void>) | undefined;

/** Creates the parts and connects them. Workers and the notebook start with their first use. */
export function activate(context: vscode.ExtensionContext): void {
  const started = performance.now();
  setTranslation(vscode.l10n.bundle);
  const log = vscode.window.createOutputChannel('Open Notebook', { log: true });
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const userAgent = `OpenNotebook/${version} (+https://github.com/open-notebook/open-notebook-vscode)`;
  const worker = (name: string): string => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;

  const library = new Library(worker('index-worker.cjs'));
  const notebookFolders = vscode.Uri.joinPath(context.globalStorageUri, 'notebooks').fsPath;
  const copies = new StoredCopies({
    storageUri: context.globalStorageUri,
    notebooks: notebookFolders,
    library,
    log,
  });
  const notebooks = new Notebooks({
    library,
    folders: new NotebookFolders(notebookFolders),
    ownId: ownNotebook(),
    workspaceState: context.workspaceState,
    clientFor: (place) =>
      new NotebookClient({ ...place, workerPath: worker('index-worker.cjs'), indexSettings, log }),
  });
  const notebook = notebooks.shown;
  const teams = new Teams(context.secrets, notebooks, { path: worker('team-worker.cjs'), log });
  const following = new TeamFollower({
    notebooks,
    teams,
    path: worker('team-worker.cjs'),
    passageSettings,
    roots,
    log,
  });
  const memento = new NotebookMemento(context.workspaceState, notebook);
  const readers = new ReaderPool(worker('reader-worker.cjs'), log);
  const sites = new SiteReader({
    notebook,
    readers,
    userAgent,
  });
  const passwords = new PdfPasswords(context.secrets);
  const languages = new RecognitionLanguages({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'recognition').fsPath,
    carried: worker('recognition/eng.traineddata.gz'),
    userAgent,
    settings: { recognitionLanguages, recognitionAddress, onDidChange },
  });
  const recognition: TextRecognition = new TextRecognition({
    notebook,
    process: new ProcessOnDemand({
      path: worker('recogniser-worker.cjs'),
      name: 'The process that recognizes text',
      log,
      ...RECOGNISER,
    }),
    languages,
    store: vscode.Uri.joinPath(context.globalStorageUri, 'recognised-pages.sqlite').fsPath,
    passwords,
    loadContent: (source, { uri }, signal) => originalContent(source, uri, signal),
    readAnew: (source, document, signal) => reader.readAnew(source, document, signal),
    log,
  });
  const transcripts = vscode.Uri.joinPath(context.globalStorageUri, 'transcripts').fsPath;
  const gitLab = new GitLabAccounts(context.secrets, context.workspaceState);
  const threads = new Threads(context.workspaceState, gitLab, userAgent);
  const reader = new SourceReader(
    notebook,
    readers,
    sites,
    passwords,
    () => recognition.recognition(),
    threads,
    log,
    transcripts,
  );
  const providers = modelProviders(context.secrets);
  const transcription: Transcription = new Transcription({
    notebook,
    memento,
    readers,
    transcription: (address) => providers.transcription(address),
    folder: transcripts,
    read: (source, path) => reader.readPart(source, path),
    showProblem: (error, job) =>
      showTranscriptionProblem(error, job, { providers, resume: () => transcription.resume() }),
    log,
  });
  const watcher = new SourceWatcher(notebook, reader);
  const status = new StatusReport();
  const removals = new SourceRemovals({ notebooks, library, reader, passwords, copies, status });
  const scopes = new ScopeChoice(memento, notebook);
  const exclusions = new Exclusions({ notebook, reader, scopes, status });
  const privateHosts = new PrivateHosts(notebook);
  const failures = new FailureReports({
    notebook,
    reader,
    hosts: privateHosts,
    removals,
    reveal: (id) => sourcesView.reveal(id),
    transcribe: (sources) => showErrors(() => askToTranscribe(transcribing, sources)),
  });
  const addReports = new AddReports({
    notebook,
    removals,
    failures,
    status,
    reveal: (id, path) => sourcesView.reveal(id, path),
  });
  const adder = new SourceAdder(notebook, reader, (added) => void addReports.tell(added), privateHosts);
  // Commands that add sources on their own report them, too.
  const quietAdder = new SourceAdder(
    notebook,
    reader,
    ({ added, again }) => void failures.follow([...added, ...again]),
    privateHosts,
  );
  const sample = new Sample({
    extensionUri: context.extensionUri,
    storageUri: context.globalStorageUri,
    adder: quietAdder,
  });
  const sharing = new SharedFollower({ notebook, adder: quietAdder }, memento);
  const droppedSources = new DroppedSources({
    adder,
    notebook,
    reader,
    copies,
  });
  const importer = new KnowledgeImporter(notebook, readers);
  const sourcesView: SourcesView = new SourcesView(
    notebook,
    scopes,
    recognition,
    new SourcesDrop(droppedSources, log),
    transcription,
  );
  const highlighter = new Highlighter();
  const pdfs = new PdfViewer({
    extensionUri: context.extensionUri,
    passwords,
    memory: context.globalState,
    positions: new PdfPositions(context.globalState),
    unsaved: vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'unsaved-annotations'),
    notebook,
    readers,
    webAddress: async (uri) => {
      const folder = dirname(uri.fsPath);
      return dirname(folder) === copies.pdfs ? ((await originIn(folder))?.uri ?? uri.toString()) : undefined;
    },
    onMarksKept: (document, pdf) => void reader.readMarked(document, pdf),
    saveMarked: (pdf, marked) => {
      void (async () => {
        const { saveMarked } = await import('./editor/chat/save-marked.ts');
        const { uri } = await copies.findOriginal(pdf);
        await saveMarked(notebook, uri, marked);
      })().catch((error: unknown) => reportError(error, log));
    },
    pdfOfPicture: async (uri) =>
      readers.pdfOfPicture({ content: await readContent(uri), name: lastSegment(uri) }),
  });
  const pages = new PageViewer(context.extensionUri, notebooks);
  const speakersOf: CommandParts['renameSpeakers'] = async (recording) => {
    const { renameSpeakers } = await import('./editor/recordings/rename-speakers.ts');
    const read = (source: Source): Promise<void> => reader.readPart(source, '');
    await renameSpeakers({ notebook, readers, transcripts, read }, recording);
  };
  const player = new Player({
    extensionUri: context.extensionUri,
    notebooks,
    describeRecording: (file) => readers.describeRecording(file),
    readFile: async (uri) => {
      const { readTranscript } = await import('./editor/recordings/read-transcript.ts');
      return await readTranscript(readers, transcripts, uri);
    },
    isOpen: (key) => notebook.key === key,
    renameSpeakers: speakersOf,
    saveClip: async (...clip) => {
      const { saveClip } = await import('./editor/chat/save-clip.ts');
      await saveClip(...clip);
    },
  });
  const reports = new CrawlReports(notebook);
  const pageReports = new PageReports(readers);
  const citedOutput = new CitedOutput();
  const cells = new NotebookCells(highlighter, citedOutput);
  const webPdfs = new WebPdfs(copies.pdfs);
  const opener = new CitationOpener<CitedNotebook>({
    notebook,
    find: (of, cited) => of.call('find', cited),
    readText: async (of, documentId) => (await of.call('document', { documentId })).text,
    originals: editorOriginals(highlighter, pdfs),
    activeColumn: vscode.ViewColumn.Active,
    cells,
    pages,
    player,
    copyPdf: async (of, pdf) => (await webPdfs.provideCopy(of, pdf)).toString(),
    inform,
    offer: (message, action, run) => void offer(message, action, () => showErrors(run)),
    onFollowed: () => void setContextKey('followedCitation', true),
  });
  const figures = new FigureSources({
    extensionUri: context.extensionUri,
    notebook,
    passwords,
    pdfCopies: copies.pdfs,
    readers,
  });
  const consent = new EmbeddingConsent(memento);
  const noteFiles = new NoteFiles(notebooks);
  const notesView = new NotesView(notebook, noteFiles);
  const meter = new UsageMeter(notebook, log);
  const meaning = {
    userAgent,
    process: meaningProcess(worker('meaning-worker.cjs'), log),
    models: new InstalledModels(vscode.Uri.joinPath(context.globalStorageUri, 'meaning').fsPath),
  };
  const embedder = new Embedder({
    notebook: embeddedNotebook(notebook),
    consent,
    settings: { embeddingModel, meaningModel, onDidChange },
    embedThere: embedWith(providers, meter),
    meaning: {
      models: meaning.models,
      vectors: (params, signal) => meaning.process.call('vectors', params, signal),
      end: () => meaning.process.end(),
    },
    log,
  });
  const models = new ModelChoices(notebook, providers, memento, context.globalState, log);
  const transcribing: TranscribeParts = { notebook, transcription, models, providers, readers };
  const usageReports = new UsageReports(notebook);
  const factCheckConsent = new FactCheckConsent(context.globalState);
  const answerModels = new AnswerModels(models, providers, meter, factCheckConsent);
  // Pages that can draw exist only after a question in one.
  const drawFigure: DrawFigure = (...wanted) => chatPages.drawFigure(...wanted);
  const exporter = new NoteExporter(
    worker('export-worker.cjs'),
    (...wanted) => chatPages.drawFigureShown(...wanted),
    log,
  );
  const modelFigures = new ModelFigures(context.globalState, drawFigure);
  const answerer: TurnAnswerer = {
    notebook,
    modelFigures,
    embedder,
    model: (conversationId, onUsage) => answerModels.of(conversationId, onUsage),
  };
  const conversation = new Conversation({
    notebook,
    scopes,
    answer: (turn) => answerTurn(answerer, turn),
    log,
  });
  const checks = new AnswerChecks({
    conversation,
    checker: (conversationId, onUsage) => answerModels.factChecker(conversationId, onUsage),
    consent: factCheckConsent,
    passages: () => passageFinder(notebook, embedder),
    checksAll: checksWithModel,
    log,
  });
  const suggested = new SuggestedQuestions({
    notebook,
    conversation,
    model: answerer.model,
    passages: () => passageFinder(notebook, embedder),
    suggestingModels,
    log,
  });
  const readReports = new ReadReports(notebook, conversation);
  const insertTarget = new InsertTarget();
  const links = new LinkHandler({
    extensionId: context.extension.id,
    notebooks,
    teams: { join: (id, isThere) => joinByLink({ notebooks, teams }, id, isThere) },
    adder,
    opener,
    log,
  });
  const modelOffer = new ModelOffer(context.globalState);
  const semanticSearchOffer = new SemanticSearchOffer({
    memento: context.globalState,
    meaning,
    embedder,
    conversation,
    isExcerptsOnly: async () => (await models.of(await conversation.id())).current.kind === 'quotes',
    log,
  });
  const chatPages: ChatPages = new ChatPages({
    extensionUri: context.extensionUri,
    notebook,
    conversation,
    models,
    modelOffer,
    semanticSearchOffer,
    factCheckConsent,
    scopes,
    opener,
    figures,
    modelFigures,
    checks,
    suggested,
    insertTarget,
    droppedSources,
    links,
  });
  const chatView = new ChatView(chatPages);
  const sharedMark = markShared({ notebook, notebooks, conversation, chatView });
  const chatTabs = new ChatTabs(context.extensionUri, chatPages);

  const research = researchProjects.register({
    extensionUri: context.extensionUri,
    notebook,
    embedder,
    scopes,
    models,
    answerModels,
    adder,
    conversation,
    opener,
    figures,
    insertTarget,
    links,
    teams,
    focusChat: () => chatPages.focus(),
    log,
    showError: (error) => reportError(error, log),
  });
  const study = flashcards.register({
    extensionUri: context.extensionUri,
    notebooks,
    opener,
    exporter,
    pdfs,
    copies,
    conversation,
    chat: chatPages,
    questions: questionParts({ notebook, embedder, answerModels, models, conversation }),
    showError: (error) => reportError(error, log),
  });
  const maps = mapViews({
    extensionUri: context.extensionUri,
    notebooks,
    opener,
    reportError: (error) => reportError(error, log),
  });

  const matrices = tables.register({
    notebook,
    extensionUri: context.extensionUri,
    notebooks,
    teams,
    opener,
    embedder,
    models,
    answerModels,
    providers,
    exporter,
    reportError: (error) => reportError(error, log),
  });

  close = async () => {
    await matrices.leave();
    await transcription.leave();
    await reader.leave();
    await notebooks.close();
    notebooks.dispose();
  };
  for (const part of [conversation, research, matrices, recognition, transcription, reader, embedder])
    notebooks.beforeLeaving(async () => {
      await part.leave();
    });
  context.subscriptions.push(
    log,
    exporter,
    insertTarget,
    copies,
    notebook.onDidOpen(() => {
      copies.notebookOpened();
    }),
    readers,
    recognition,
    transcription,
    reader,
    status,
    watcher,
    sharing,
    teams,
    following,
    gitLab,
    importer,
    sourcesView,
    notesView,
    noteFiles,
    vscode.workspace.registerFileSystemProvider(NOTE_SCHEME, noteFiles, { isCaseSensitive: true }),
    new NoteCitations(notebooks, opener),
    new CitationChips(),
    new WorkCitations(notebooks, opener),
    new SideBySideVersions(),
    new NoteLinks(notebooks, async (source) => {
      await vscode.commands.executeCommand('openNotebook.openSource', { kind: 'source', source });
    }),
    highlighter,
    citedOutput,
    pdfs,
    pages,
    player,
    embedder,
    meaning.process,
    languages,
    models,
    usageReports,
    scopes,
    reports,
    pageReports,
    suggested,
    checks,
    conversation,
    readReports,
    modelOffer,
    semanticSearchOffer,
    factCheckConsent,
    chatPages,
    chatView,
    sharedMark,
    chatTabs,
    research,
    maps,
    study,
    matrices,
    new GeneratedNoteCodeLens(notebooks, context.extensionUri),
    new NoteCorrections({ notebooks, embedder, answerModels }),
    vscode.window.registerUriHandler(links),
    registerNotebookTools({ notebook, embedder, adder }),
    registerMcpServer({ extensionUri: context.extensionUri, version, notebook }),
    registerChatFallback(),
    registerParticipant({
      extensionUri: context.extensionUri,
      notebook,
      embedder,
      ownModel: async () => (await answerModels.of('', () => undefined)).model,
      factChecker: async (writer) => (await answerModels.allowedChecker(() => undefined, writer))?.model,
      opener,
      meter,
    }),
    showActivity(notebook, reader, embedder, recognition, transcription),
    showName(notebooks, (name) => sourcesView.describe(name)),
    keepInStep(notebook, reader, watcher, sample),
    followRenames(notebook, reader),
    registerCommands({
      memory: context.workspaceState,
      notebook,
      notebooks,
      library,
      sharing,
      teams,
      following,
      addReports,
      failures,
      privateHosts,
      removals,
      exclusions,
      adder,
      importer,
      sample,
      reader,
      readers,
      recognition,
      transcription,
      transcribe: (sources) => askToTranscribe(transcribing, sources),
      renameSpeakers: speakersOf,
      player,
      transcripts,
      sites,
      reports,
      pageReports,
      readReports,
      sourcesView,
      notesView,
      exporter,
      conversation,
      reviseReport: research.reviseReport,
      maps,
      generateStudyArtifact: study.generate,
      generateTable: matrices.generate,
      chat: chatPages,
      chatView,
      chatTabs,
      links,
      opener,
      pdfs,
      copies,
      embedder,
      meaning,
      languages,
      models,
      answerModels,
      usageReports,
      scopes,
      providers,
      gitLab,
      passwords,
      log,
      extensionUri: context.extensionUri,
      storageUri: context.globalStorageUri,
      version,
    }),
  );
  void notebooks.refresh();
  log.info(`Activated in ${(performance.now() - started).toFixed(1)} ms.`);
}

/** Leaves sources that are still being read to the next window before the notebook closes. */
export async function deactivate(): Promise<void> {
  await close?.();
}

/** Returns the ID of the workspace's own notebook: one for each workspace, and one for windows without a workspace. */
function ownNotebook(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const roots =
    workspaceFile === undefined ? (workspaceFolders ?? []).map(({ uri }) => uri) : [workspaceFile];
  if (roots.length === 0) return 'no-workspace';
  return createHash('sha256').update(roots.map(String).join('\n')).digest('hex').slice(0, 32);
}

/**
 * Keeps a notebook in sync with its files: resumes interrupted reading, finds files that changed while nothing watched
 * them, applies changed passage settings, and updates menus that depend on sources.
 */
function keepInStep(
  notebook: NotebookClient,
  reader: SourceReader,
  watcher: SourceWatcher,
  sample: Sample,
): vscode.Disposable {
  const notifyOfSources = async (): Promise<void> => {
    const sources = await notebook.call('sources', {});
    await setContextKey('hasSources', sources.length > 0);
    await setContextKey(
      'hasFailedSources',
      sources.some(({ state }) => state.kind === 'failed'),
    );
    await setContextKey(
      'hasSample',
      sources.some((source) => sample.has(source)),
    );
  };
  return vscode.Disposable.from(
    notebook.onDidOpen(async ({ notice, readOnly }) => {
      if (notice !== undefined) void showWarning(notice);
      await notifyOfSources();
      if (readOnly) return;
      await watcher.update();
      for (const source of await notebook.call('sources', {})) {
        const { state, origin } = source;
        const unfinished = state.kind === 'queued' || state.kind === 'reading';
        const onDisk = origin.kind === 'file' || origin.kind === 'folder';
        if (unfinished || (onDisk && state.kind === 'ready')) void reader.read(source);
      }
    }),
    notebook.onDidChange(() => void notifyOfSources()),
    ...['passages', 'bibliography.citationKeys'].map((keys) =>
      onDidChange(keys, () => {
        if (notebook.isOpen) void notebook.call('setIndexSettings', indexSettings());
      }),
    ),
  );
}
