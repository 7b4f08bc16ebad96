import type { DocumentEntry, Source } from '../../notebook/source.ts';
import type * as vscode from 'vscode';
import type { AnswerModels } from '../chat/answer-model.ts';
import type { AddReports } from '../sources/add-reports.ts';
import type { FailureReports } from '../sources/failure-reports.ts';
import type { PrivateHosts } from '../sources/private-hosts.ts';
import type { ChatPages } from '../chat/chat-pages.ts';
import type { ChatTabs } from '../chat/chat-tabs.ts';
import type { ChatView } from '../chat/chat-view.ts';
import type { CitationOpener } from '../citations/citation-opener.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { Embedder } from '../models/embedder.ts';
import type { KnowledgeImporter } from '../sources/import-knowledge.ts';
import type { Exclusions } from '../sources/exclusions.ts';
import type { SourceRemovals } from '../sources/source-removals.ts';
import type { StoredCopies } from '../sources/stored-copies.ts';
import type { LinkHandler } from '../citations/link-handler.ts';
import type { NoteExporter } from '../notes/note-exporter.ts';
import type { NotesView } from '../notes/notes-view.ts';
import type { TextRecognition } from '../recognition/text-recognition.ts';
import type { Player } from '../recordings/player.ts';
import type { Transcription } from '../recordings/transcription.ts';
import type { ScopeChoice } from '../sources/scope-choice.ts';
import type { Sample } from '../sources/sample.ts';
import type { MeaningParts } from '../models/find-by-meaning.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import type { ModelProviders } from '../models/model-providers.ts';
import type { PdfViewer } from '../pdf/pdf-viewer.ts';
import type { RecognitionLanguages } from '../recognition/recognition-languages.ts';
import type { ReaderPool } from '../sources/reader-pool.ts';
import type { ReadReports } from '../chat/read-reports.ts';
import type { GenerateStudyArtifact, GenerateTable } from '../studio/generate-artifact.ts';
import type { MapViews } from '../studio/map-view.ts';
import type { UsageReports } from '../models/usage-reports.ts';
import type { Passwords } from '../pdf/with-password.ts';
import type { CrawlReports } from '../sources/crawl-report.ts';
import type { Library } from '../library.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { Notebooks } from '../notebooks/notebooks.ts';
import type { TeamFollower } from '../team/team-follower.ts';
import type { Teams } from '../team/teams.ts';
import type { SharedFollower } from '../notebooks/shared-follower.ts';
import type { PageReports } from '../sources/page-reports.ts';
import type { SiteReader } from '../sources/site-reader.ts';
import type { GitLabAccounts } from '../sources/gitlab-accounts.ts';
import type { SourceAdder } from '../sources/add-sources.ts';
import type { SourceReader } from '../sources/source-reader.ts';
import type { SourcesView } from '../sources/sources-view.ts';

/** Commands by their names without the prefix of the extension. */
export type Commands = Readonly<Record<string, (...args: never[]) => Promise<void> | void>>;

/** Services that commands use. */
export interface CommandParts {
  readonly maps: MapViews;
  /** Generates an artifact for studying, and shows it. */
  readonly generateStudyArtifact: GenerateStudyArtifact;
  readonly generateTable: GenerateTable;
  readonly notebook: NotebookClient;
  readonly notebooks: Notebooks;
  readonly library: Library;
  readonly sharing: SharedFollower;
  readonly teams: Teams;
  readonly following: TeamFollower;
  readonly adder: SourceAdder;
  readonly reader: SourceReader;
  readonly readers: ReaderPool;
  readonly sites: SiteReader;
  readonly reports: CrawlReports;
  readonly pageReports: PageReports;
  readonly sourcesView: SourcesView;
  /** Revises a section of a research project's report, which is the note with this title. */
  readonly reviseReport: (title: string) => Promise<void>;
  readonly recognition: TextRecognition;
  readonly transcription: Transcription;
  /** Asks to transcribe the recordings of sources. */
  readonly transcribe: (sources: readonly Source[]) => Promise<void>;
  /** Asks for new names of the speakers in a recording. */
  readonly renameSpeakers: (recording: Pick<DocumentEntry, 'sourceId' | 'uri'>) => Promise<void>;
  readonly player: Player;
  /** Folder with the transcripts of recordings. */
  readonly transcripts: string;
  readonly addReports: AddReports;
  readonly failures: FailureReports;
  readonly privateHosts: PrivateHosts;
  readonly removals: SourceRemovals;
  readonly exclusions: Exclusions;
  readonly importer: KnowledgeImporter;
  readonly sample: Sample;
  readonly readReports: ReadReports;
  readonly notesView: NotesView;
  readonly exporter: NoteExporter;
  readonly conversation: Conversation;
  readonly chat: ChatPages;
  readonly chatView: ChatView;
  readonly chatTabs: ChatTabs;
  readonly links: LinkHandler;
  readonly opener: CitationOpener;
  readonly pdfs: PdfViewer;
  readonly copies: StoredCopies;
  readonly embedder: Embedder;
  readonly meaning: MeaningParts;
  readonly models: ModelChoices;
  readonly answerModels: AnswerModels;
  readonly languages: RecognitionLanguages;
  readonly usageReports: UsageReports;
  readonly scopes: ScopeChoice;
  /** Storage of the workspace. */
  readonly memory: vscode.Memento;
  readonly providers: ModelProviders;
  readonly gitLab: GitLabAccounts;
  readonly passwords: Passwords;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Folder of the extension that all workspaces share. */
  readonly storageUri: vscode.Uri;
  /** Version of the extension. */
  readonly version: string;
}
