import * as v from 'valibot';
import * as vscode from 'vscode';
import type { PastTurn } from '../../../answers/question/past-turns.ts';
import { storedCitation } from '../../../index/store/database/stored-json.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { applyAnswerEvents, statementsToCheck, type AnswerEvent } from '../../../core/domain/answer.ts';
import { errorMessage, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import { fitting } from '../../../core/domain/json-schemas.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { CitationOpener } from '../../citations/editor/citation-opener.ts';
import {
  editorAnswer,
  MARK_PATTERN,
  OPEN_CITATION_COMMAND,
  readCitation,
  type CheckStatements,
} from './editor-answer.ts';
import { asLanguageModel, OWN_VENDOR } from '../../models/editor/editor-models.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { instructions, tokensPerAnswer, writesSearches } from '../../../platform/settings.ts';
import { toAbortSignal } from '../../../platform/abort-signal.ts';
import { describe } from '../../sources/editor/source-words.ts';
import type { UsageMeter } from '../../models/editor/usage-meter.ts';

/** Model that checks answers, and its server. `isAllowed`: undefined if it may cost money and the user hasn't decided. */
export interface AnswerChecker {
  readonly model: LanguageModel;
  readonly server: string;
  readonly isAllowed: boolean | undefined;
}

interface ParticipantParts {
  readonly extensionUri: vscode.Uri;
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  /**
   * Returns the notebook's own model; undefined if it answers with excerpts only.
   * @throws NotebookError `model-missing`
   */
  readonly ownModel: () => Promise<LanguageModel | undefined>;
  /**
   * Returns the model that checks a model's text, by default the notebook's own, even if the user hasn't agreed to it;
   * undefined if no text is checked.
   * @throws NotebookError
   */
  readonly factChecker: (writer: ModelChoice | undefined) => Promise<AnswerChecker | undefined>;
  readonly opener: CitationOpener;
  readonly meter: UsageMeter;
}

/**
 * Data of an answer for later and suggested questions; the editor stores it. `isWritten`: `true` if a model wrote the
 * answer, `false` if it consists of excerpts. `explanation`: Markdown below the answer that isn't part of it.
 */
const metadata = v.object({
  citations: v.fallback(fitting(storedCitation), []),
  question: v.fallback(v.string(), ''),
  isWritten: v.fallback(v.boolean(), false),
  explanation: v.fallback(v.string(), ''),
});
type ResultMetadata = v.InferOutput<typeof metadata>;

function metadataOf(result: vscode.ChatResult): ResultMetadata {
  return v.parse(metadata, result.metadata ?? {});
}

/**
 * Registers `@notebook` in the editor's own chat. It answers from the sources with the model that is selected there; if
 * the editor has none, with the notebook's own.
 */
export function registerParticipant({
  extensionUri,
  notebook,
  embedder,
  ownModel,
  factChecker,
  opener,
  meter,
}: ParticipantParts): vscode.Disposable {
  const modelFor = async ({ command, model }: vscode.ChatRequest): Promise<LanguageModel | undefined> => {
    if (command === 'quote') return undefined;
    if (model.vendor === OWN_VENDOR) return await ownModel();
    return meter.over(asLanguageModel(model), { provider: model.vendor });
  };

  /** Returns the model that checks the answer of a request; undefined if no text is checked. @throws NotebookError */
  const checkerFor = ({ model }: vscode.ChatRequest): Promise<AnswerChecker | undefined> => {
    const { vendor, id, name } = model;
    return factChecker(vendor === OWN_VENDOR ? undefined : { kind: 'editor' as const, vendor, id, name });
  };

  const answer: vscode.ChatRequestHandler = async (request, context, stream, token) => {
    if (request.command === 'sources') return listSources(notebook, stream);
    const signal = toAbortSignal(token);
    const isSummary = request.command === 'summarize';
    const subject = request.prompt.trim();
    if (subject === '' && !isSummary)
      throw new NotebookError('empty', vscode.l10n.t('Enter a question after @notebook.'));
    const question = isSummary ? summaryRequest(subject) : subject;
    const passages = passageFinder(notebook, embedder);
    const model = await modelFor(request);
    let checkError: { readonly error: unknown } | undefined;
    const reportProblem = (error: unknown): void => {
      checkError ??= { error };
    };
    const checker = model === undefined ? undefined : await checkerFor(request).catch(reportProblem);
    const shownAnswer = editorAnswer(
      stream,
      checker?.isAllowed === true
        ? statementChecker({ question, model: checker.model, passages, signal, stream, reportProblem })
        : undefined,
    );
    const { answerQuestion } = await import('../../../answers/answer-question.ts');
    let explanation = '';
    try {
      await answerQuestion({
        question,
        // Requests a summary, however the model is instructed.
        ...(isSummary && { words: `Summarize ${subject}`.trim() }),
        history: isSummary ? [] : pastTurns(context),
        passages,
        titles: (await notebook.call('sources', {})).map(({ title }) => title),
        tokens: tokensPerAnswer(),
        writesSearches: writesSearches(),
        model,
        instructions:
          instructions() || (await import('../../../answers/writing/prompt.ts')).defaultInstructions,
        signal,
        emit: shownAnswer.emit,
      });
    } finally {
      // Shows the part that has arrived, even after an error.
      const { verdicts } = await shownAnswer.end();
      if (verdicts.unchecked > 0) {
        const hasChecked = verdicts.checked > 0;
        if (checkError !== undefined) explanation = explainFailure(stream, checkError.error, hasChecked);
        else if (checker !== undefined && checker.isAllowed !== true)
          explanation = explainConsent(stream, checker);
      }
    }
    const { citations, isWritten } = await shownAnswer.end();
    return { metadata: { citations, isWritten, question, explanation } };
  };

  const participant = vscode.chat.createChatParticipant(
    'openNotebook.notebook',
    async (request, context, stream, token) => {
      try {
        return await answer(request, context, stream, token);
      } catch (error) {
        if (isCanceled(error)) return {};
        if (error instanceof NotebookError) {
          offerWayOut(stream, error);
          return { errorDetails: { message: error.message } };
        }
        throw error;
      }
    },
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    async provideFollowups(result) {
      const { citations, question } = metadataOf(result);
      if (citations.length === 0) return [];
      const documentIds = [...new Set(citations.map(({ documentId }) => documentId))];
      const outlines = await notebook.call('outlines', { documentIds });
      // Loads the words of all languages, which activation doesn't need.
      const { followUpQuestions } = await import('../../../core/domain/suggestions.ts');
      return followUpQuestions(outlines, citations, [question]).map((prompt) => ({ prompt }));
    },
  };
  return vscode.Disposable.from(
    participant,
    vscode.commands.registerCommand(OPEN_CITATION_COMMAND, async (argument: unknown) => {
      const citation = readCitation(argument);
      if (citation !== undefined) await opener.open(citation);
    }),
  );
}

interface CheckerParts {
  readonly question: string;
  readonly model: LanguageModel;
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  readonly stream: vscode.ChatResponseStream;
  readonly reportProblem: (error: unknown) => void;
}

/**
 * Returns a check of statements by a model, with progress in the chat. Statements that it can't check stay unchanged.
 * After a failure, such as a wrong key, it checks no further statements, which would fail only after a wait.
 */
function statementChecker({
  question,
  model,
  passages,
  signal,
  stream,
  reportProblem,
}: CheckerParts): CheckStatements {
  let hasFailed = false;
  return async (answer, among) => {
    if (hasFailed) return answer;
    const only = statementsToCheck(answer).filter((index) => among.includes(index));
    const events: AnswerEvent[] = [];
    const { checkWithModel } = await import('../../../answers/checking/check-with-model.ts');
    await checkWithModel({
      ...{ answer, question, model, passages, signal, only },
      emit: (event) => {
        if (event.kind === 'status') stream.progress(sanitizeWords(event.text));
        else events.push(event);
      },
    }).catch((error: unknown) => {
      // The answer is complete without the check. Statements that weren't checked have no verdict.
      if (isCanceled(error)) return;
      reportProblem(error);
      // A model whose verdict on one paragraph isn't usable may still check the next one.
      hasFailed = !(error instanceof NotebookError && error.code === 'unsupported');
    });
    const checked = applyAnswerEvents(answer, events);
    return checked?.kind === 'written' ? checked : answer;
  };
}

/** Shows why the fact check of an answer failed, and a button with what to do. Returns the shown Markdown. */
function explainFailure(stream: vscode.ChatResponseStream, error: unknown, hasChecked: boolean): string {
  const reason = errorMessage(error);
  const explanation = hasChecked
    ? vscode.l10n.t('Can’t fact-check every statement. {0}', reason)
    : vscode.l10n.t('Can’t fact-check this answer. {0}', reason);
  const markdown = `\n\n${escapeMarkdown(explanation)}`;
  stream.markdown(markdown);
  offerWayOut(stream, error);
  return markdown;
}

/** Shows that the user hasn't agreed to the fact check of answers, and where to do so. Returns the shown Markdown. */
function explainConsent(stream: vscode.ChatResponseStream, { server, isAllowed }: AnswerChecker): string {
  const explanation =
    isAllowed === undefined
      ? vscode.l10n.t(
          'Not fact-checked because the check by {0} may cost money. To agree to it, ask a question in Open Notebook’s Chat view.',
          server,
        )
      : vscode.l10n.t(
          'Not fact-checked because you declined the check by {0}. To check an answer, ask your question in Open Notebook’s Chat view, then select “Fact-check with model”.',
          server,
        );
  const markdown = `\n\n${escapeMarkdown(explanation)}`;
  stream.markdown(markdown);
  stream.button({ command: 'openNotebook.openChat', title: vscode.l10n.t('Open Chat') });
  return markdown;
}

/** Adds a button to pick a model or to set a key if an error suggests that. */
function offerWayOut(stream: vscode.ChatResponseStream, error: unknown): void {
  if (!(error instanceof NotebookError)) return;
  if (error.action === 'pickModel')
    stream.button({ command: 'openNotebook.pickModel', title: vscode.l10n.t('Pick Model') });
  else if (error.action === 'setApiKey')
    stream.button({ command: 'openNotebook.setApiKey', title: vscode.l10n.t('Set API Key') });
}

function summaryRequest(subject: string): string {
  return subject === ''
    ? 'Summarize the sources of this notebook: what each is about, and its main points.'
    : `Summarize what the sources say about this: ${subject}`;
}

async function listSources(
  notebook: NotebookClient,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const sources = await notebook.call('sources', {});
  if (sources.length === 0) {
    stream.markdown(vscode.l10n.t('This notebook has no sources yet.'));
    stream.button({ command: 'openNotebook.addFiles', title: vscode.l10n.t('Add Files or Folders…') });
    return {};
  }
  const lines = sources.map(
    (source) =>
      `- **${escapeMarkdown(source.title)}** · ${escapeMarkdown(describe(source, { left: source.unrecognised, isPaused: false }))}\n`,
  );
  stream.markdown(lines.join(''));
  return {};
}

/** Returns the earlier turns between the user and this participant. */
function pastTurns({ history }: vscode.ChatContext): PastTurn[] {
  const turns: PastTurn[] = [];
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) turns.push({ question: turn.prompt, answer: '' });
    const last = turns.at(-1);
    if (turn instanceof vscode.ChatResponseTurn && last !== undefined)
      turns[turns.length - 1] = { ...last, ...pastAnswer(turn) };
  }
  return turns;
}

/**
 * Returns the text of an answer without citation marks and explanations. If no model wrote it, the text counts as
 * quotes.
 */
function pastAnswer({ response, result }: vscode.ChatResponseTurn): Pick<PastTurn, 'answer' | 'quotes'> {
  const { isWritten, explanation } = metadataOf(result);
  const text = response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('')
    .replace(explanation, '')
    .replaceAll(MARK_PATTERN, '');
  return isWritten ? { answer: text } : { answer: '', quotes: text === '' ? [] : [text] };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&');
}
