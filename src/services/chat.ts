import { passageFinder } from '../answers/retrieving/notebook-finder.ts';
import { registerChatFallback } from '../features/agents/editor/chat-fallback.ts';
import { registerParticipant } from '../features/agents/editor/chat-participant.ts';
import { registerMcpServer } from '../features/mcp/editor/mcp-server.ts';
import { registerNotebookTools } from '../features/agents/editor/notebook-tools.ts';
import { AnswerChecks } from '../features/chat/editor/answer-checks.ts';
import { answerTurn, type TurnAnswerer } from '../features/chat/editor/answer-turn.ts';
import { ChatPages } from '../features/chat/editor/chat-pages.ts';
import { ChatTabs } from '../features/chat/editor/chat-tabs.ts';
import { ChatView } from '../features/chat/editor/chat-view.ts';
import { Conversation } from '../features/chat/editor/conversation.ts';
import { InsertTarget } from '../features/chat/editor/insert-target.ts';
import { ModelFigures } from '../features/chat/editor/model-figures.ts';
import { ModelOffer } from '../features/chat/editor/model-offer.ts';
import { ReadReports } from '../features/chat/editor/read-reports.ts';
import { SemanticSearchOffer } from '../features/chat/editor/semantic-search-offer.ts';
import { markShared } from '../features/chat/editor/shared-mark.ts';
import { SuggestedQuestions } from '../features/chat/editor/suggested-questions.ts';
import { NoteExporter } from '../features/notes/editor/note-exporter.ts';
import { checksWithModel, suggestingModels } from '../platform/settings.ts';
import type { ModelServices } from './models.ts';
import type { Platform } from './platform.ts';
import type { SourceServices } from './sources.ts';
import type { ViewerServices } from './viewers.ts';

/** Questions and answers, the chat panel, and what draws with its pages. */
export interface ChatServices {
  readonly conversation: Conversation;
  readonly chat: ChatPages;
  readonly chatView: ChatView;
  readonly chatTabs: ChatTabs;
  readonly readReports: ReadReports;
  readonly insertTarget: InsertTarget;
  /** Exports notes and answers with their figures. */
  readonly exporter: NoteExporter;
}

/** Creates the chat, and registers it with VS Code's chat and other agents. */
export function createChatServices(
  platform: Platform,
  modelServices: ModelServices,
  { adder, droppedSources, scopes }: SourceServices,
  { figures, links, opener }: ViewerServices,
): ChatServices {
  const { extensionUri, globalState, notebook, notebooks, log, version } = platform;
  const { models, answerModels, factCheckConsent, embedder, meaning, meter } = modelServices;
  // Pages that can draw exist only after a question in one.
  const modelFigures = new ModelFigures(globalState, (...request) => chat.drawFigure(...request));
  const exporter = new NoteExporter(
    platform.distPath('export-worker.cjs'),
    (...request) => chat.drawFigureShown(...request),
    log,
  );
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
  const modelOffer = new ModelOffer(globalState);
  const semanticSearchOffer = new SemanticSearchOffer({
    memento: globalState,
    meaning,
    embedder,
    conversation,
    isExcerptsOnly: async () => (await models.of(await conversation.id())).current.kind === 'quotes',
    log,
  });
  const chat: ChatPages = new ChatPages({
    ...{ extensionUri, notebook, conversation, models, modelOffer, semanticSearchOffer, factCheckConsent },
    ...{ scopes, opener, figures, modelFigures, checks, suggested, insertTarget, droppedSources, links },
  });
  const chatView = new ChatView(chat);
  const chatTabs = new ChatTabs(extensionUri, chat);
  platform.subscriptions.push(
    ...[exporter, insertTarget, suggested, checks, conversation, readReports, modelOffer],
    ...[semanticSearchOffer, chat, chatView, chatTabs],
    markShared({ notebook, notebooks, conversation, chatView }),
    registerNotebookTools({ notebook, embedder, adder }),
    registerMcpServer({ extensionUri, version, notebook }),
    registerChatFallback(),
    registerParticipant({
      extensionUri,
      notebook,
      embedder,
      ownModel: async () => (await answerModels.of('', () => undefined)).model,
      factChecker: (writer) => answerModels.checkerFor(() => undefined, writer),
      opener,
      meter,
    }),
  );
  return { conversation, chat, chatView, chatTabs, readReports, insertTarget, exporter };
}
