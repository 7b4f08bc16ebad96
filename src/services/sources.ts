import * as vscode from 'vscode';
import type { AnswerModel } from '../features/chat/editor/answer-turn.ts';
import type { DocumentEntry, Source } from '../core/domain/source.ts';
import { setContextKey } from '../platform/menu-contexts.ts';
import type { NotebookClient } from '../platform/notebook-client.ts';
import { SharedFollower } from '../features/sharing/editor/shared-follower.ts';
import { PdfPasswords } from '../features/pdf/editor/pdf-passwords.ts';
import { ProcessOnDemand } from '../platform/process-on-demand.ts';
import { RecognitionLanguages } from '../features/ocr/editor/recognition-languages.ts';
import { RECOGNISER, TextRecognition } from '../features/ocr/editor/text-recognition.ts';
import {
  askToTranscribe,
  showTranscriptionProblem,
  type TranscribeParts,
} from '../features/recordings/editor/ask-to-transcribe.ts';
import { Transcription } from '../features/recordings/editor/transcription.ts';
import {
  indexSettings,
  onDidChange,
  recognitionAddress,
  recognitionLanguages,
} from '../platform/settings.ts';
import { showErrors } from '../platform/show-errors.ts';
import { AddReports } from '../features/sources/editor/add-reports.ts';
import { SourceAdder } from '../features/sources/editor/add-sources.ts';
import { CrawlReports } from '../features/crawling/editor/crawl-report.ts';
import { DroppedSources } from '../features/sources/editor/dropped-sources.ts';
import { Exclusions } from '../features/sources/editor/exclusions.ts';
import { FailureReports } from '../features/sources/editor/failure-reports.ts';
import { GitLabAccounts } from '../features/forge/editor/gitlab-accounts.ts';
import { KnowledgeImporter } from '../features/sources/editor/import-knowledge.ts';
import { followRenames } from '../features/sources/editor/moved-sources.ts';
import { originalContent } from '../features/sources/editor/original-reader.ts';
import { PageReports } from '../features/sources/editor/page-reports.ts';
import { PrivateHosts } from '../features/sources/editor/private-hosts.ts';
import { ReaderPool } from '../platform/reader-pool.ts';
import { Sample } from '../features/sources/editor/sample.ts';
import { ScopeChoice } from '../features/sources/editor/scope-choice.ts';
import { SiteReader } from '../features/crawling/editor/site-reader.ts';
import { SourceReader } from '../features/sources/editor/source-reader.ts';
import { SourceRemovals } from '../features/sources/editor/source-removals.ts';
import { SourceWatcher } from '../features/sources/editor/source-watcher.ts';
import { SourcesDrop } from '../features/sources/editor/sources-drop.ts';
import { SourcesView } from '../features/sources/editor/sources-view.ts';
import { showActivity } from '../features/sources/editor/status-bar.ts';
import { StatusReport } from '../features/sources/editor/status-report.ts';
import { Threads } from '../features/forge/editor/threads.ts';
import { showWarning } from '../platform/dialogs.ts';
import type { ModelServices } from './models.ts';
import type { Platform } from './platform.ts';

/** Reading of sources, and the Sources view. */
export interface SourceServices {
  readonly reader: SourceReader;
  /** Processes that read files. */
  readonly readers: ReaderPool;
  readonly sites: SiteReader;
  readonly passwords: PdfPasswords;
  readonly languages: RecognitionLanguages;
  readonly recognition: TextRecognition;
  readonly transcription: Transcription;
  /** Asks to transcribe the recordings of sources. */
  readonly transcribe: (sources: readonly Source[]) => Promise<void>;
  /** Asks for new names of the speakers in a recording. */
  readonly renameSpeakers: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Generates chapters of a recording. */
  readonly generateChapters: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Removes the generated chapters of a recording after the user confirmed it. */
  readonly removeChapters: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  /** Folder with the transcripts of recordings. */
  readonly transcripts: string;
  readonly gitLab: GitLabAccounts;
  readonly privateHosts: PrivateHosts;
  readonly adder: SourceAdder;
  readonly addReports: AddReports;
  readonly failures: FailureReports;
  readonly removals: SourceRemovals;
  readonly exclusions: Exclusions;
  readonly scopes: ScopeChoice;
  readonly sample: Sample;
  readonly importer: KnowledgeImporter;
  readonly sharing: SharedFollower;
  readonly droppedSources: DroppedSources;
  readonly sourcesView: SourcesView;
  readonly reports: CrawlReports;
  readonly pageReports: PageReports;
}

/** Creates the services that read sources. Processes start with their first use. */
export function createSourceServices(
  platform: Platform,
  { providers, models, answerModels, embedder }: ModelServices,
): SourceServices {
  const { extensionUri, storageUri, workspaceState, secrets, log, userAgent, distPath } = platform;
  const { library, copies, notebooks, notebook, memento } = platform;
  const readers = new ReaderPool(distPath('reader-worker.cjs'), log);
  const sites = new SiteReader({ notebook, readers, userAgent });
  const passwords = new PdfPasswords(secrets);
  const languages = new RecognitionLanguages({
    folder: vscode.Uri.joinPath(storageUri, 'recognition').fsPath,
    carried: distPath('recognition/eng.traineddata.gz'),
    userAgent,
    settings: { recognitionLanguages, recognitionAddress, onDidChange },
  });
  const recognition: TextRecognition = new TextRecognition({
    notebook,
    process: new ProcessOnDemand({
      path: distPath('recogniser-worker.cjs'),
      name: 'The process that recognizes text',
      log,
      ...RECOGNISER,
    }),
    languages,
    store: vscode.Uri.joinPath(storageUri, 'recognised-pages.sqlite').fsPath,
    passwords,
    loadContent: (source, { uri }, signal) => originalContent(source, uri, signal),
    readAnew: (source, document, signal) => reader.readAnew(source, document, signal),
    log,
  });
  const transcripts = vscode.Uri.joinPath(storageUri, 'transcripts').fsPath;
  const gitLab = new GitLabAccounts(secrets, workspaceState);
  const reader = new SourceReader(
    notebook,
    readers,
    sites,
    passwords,
    () => recognition.recognition(),
    new Threads(workspaceState, gitLab, userAgent),
    log,
    transcripts,
  );
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
  const readPart = (source: Source, path: string): Promise<void> => reader.readPart(source, path);
  const transcribing: TranscribeParts = { notebook, transcription, models, providers, readers };
  const transcribe = (sources: readonly Source[]): Promise<void> => askToTranscribe(transcribing, sources);
  const watcher = new SourceWatcher(notebook, reader);
  const status = new StatusReport();
  const removals = new SourceRemovals({ notebooks, library, reader, passwords, copies, status });
  const scopes = new ScopeChoice(memento, notebook);
  const privateHosts = new PrivateHosts(notebook);
  const failures = new FailureReports({
    notebook,
    reader,
    hosts: privateHosts,
    removals,
    reveal: (id) => sourcesView.reveal(id),
    transcribe: (sources) => showErrors(() => transcribe(sources)),
  });
  const addReports = new AddReports({
    notebook,
    removals,
    failures,
    status,
    reveal: (id, path) => sourcesView.reveal(id, path),
  });
  const adder = new SourceAdder(notebook, reader, (added) => void addReports.report(added), privateHosts);
  // Commands that add sources on their own report them, too.
  const quietAdder = new SourceAdder(
    notebook,
    reader,
    ({ added, again }) => void failures.follow([...added, ...again]),
    privateHosts,
  );
  const sample = new Sample({ extensionUri, storageUri, adder: quietAdder });
  const sharing = new SharedFollower({ notebook, adder: quietAdder }, memento);
  const droppedSources = new DroppedSources({ adder, notebook, reader, copies });
  const importer = new KnowledgeImporter(notebook, readers);
  const sourcesView: SourcesView = new SourcesView(
    notebook,
    scopes,
    recognition,
    new SourcesDrop(droppedSources, log),
    transcription,
  );
  const reports = new CrawlReports(notebook);
  const pageReports = new PageReports(readers);
  platform.subscriptions.push(
    ...[readers, languages, recognition, transcription, reader, status, watcher, sharing, gitLab],
    ...[importer, sourcesView, scopes, reports, pageReports],
    showActivity(notebook, reader, embedder, recognition, transcription),
    keepInStep(notebook, reader, watcher, sample),
    followRenames(notebook, reader),
  );
  return {
    ...{ reader, readers, sites, passwords, languages, recognition, transcription, transcribe },
    ...{ transcripts, gitLab },
    generateChapters: async (recording) => {
      const { generateChapters } = await import('../features/recordings/editor/generate-chapters.ts');
      const answerModel = (): Promise<AnswerModel> => answerModels.of('', () => undefined);
      await generateChapters({ notebook, answerModel, read: readPart }, recording);
    },
    removeChapters: async (recording) => {
      const { removeChapters } = await import('../features/recordings/editor/stored-chapters.ts');
      await removeChapters({ notebook, read: readPart }, recording);
    },
    renameSpeakers: async (recording) => {
      const { renameSpeakers } = await import('../features/recordings/editor/rename-speakers.ts');
      const read = (source: Source): Promise<void> => reader.readPart(source, '');
      await renameSpeakers({ notebook, readers, transcripts, read }, recording);
    },
    exclusions: new Exclusions({ notebook, reader, scopes, status }),
    ...{ privateHosts, adder, addReports, failures, removals, scopes, sample, importer, sharing },
    ...{ droppedSources, sourcesView, reports, pageReports },
  };
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
