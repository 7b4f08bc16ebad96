import { createHash } from 'node:crypto';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { checkedByModel } from '../../../answers/writing/check-text.ts';
import {
  entriesFor,
  writeFromTemplate,
  type StoredNotes,
  type WritingStep,
} from '../service/write-from-template.ts';
import { notesInstructions } from '../service/requests.ts';
import { estimateTextCheck, estimateWriting, tokensOfPart } from '../service/tokens.ts';
import { statementsToCheck } from '../../../core/domain/answer.ts';
import { sumEstimates, type Estimate, type PricedEstimate } from '../../../core/domain/estimates.ts';
import { asDeck, SLIDES_TEMPLATE, withoutDeck } from '../../../core/domain/deck.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { isCanceled, NotebookError, type ErrorAction } from '../../../core/domain/errors.ts';
import { noteTitle, type StoredCitation } from '../../../core/domain/note.ts';
import { removeCitations } from '../../../core/domain/citation-links.ts';
import { bodyAsNote, continueLabels } from '../../../core/domain/note-markdown.ts';
import type { DocumentVersion, GeneratedNote } from '../../../core/domain/artifact.ts';
import type { Since, Template } from '../../../core/domain/template.ts';
import type { WritingPlan, WritingRequest } from '../../../core/domain/writing.ts';
import { dollars } from '../../../core/domain/usage.ts';
import type { AnswerModels } from '../../chat/editor/answer-model.ts';
import { showNote } from '../../chat/editor/save-as-note.ts';
import { warnUnchecked } from '../../chat/editor/unchecked-content.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { CitedText } from '../../../answers/writing/cited-text.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import { replaceInNote } from '../../notes/editor/shown-change.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withVerdictFootnotes } from '../../../core/domain/verdict-marks.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { number, roundTokens } from '../../../platform/shown-number.ts';
import { askSince } from './ask-since.ts';
import { withGenerationProgress } from './generate-artifact.ts';
import { showFailure } from './show-failure.ts';
import { showProblems, templateNow, offerFile } from './templates.ts';
import { showInformation, showWarning, withNotification } from '../../../platform/dialogs.ts';

/** Number of tokens above which the user is asked before anything is sent. */
const CONFIRM_TOKENS = 50_000;

export interface WritingParts {
  readonly answerModels: Pick<AnswerModels, 'allowedChecker' | 'checkRequest' | 'decideCheck' | 'of'>;
  readonly embedder: Pick<Embedder, 'embedQuestion'>;
  readonly extensionUri: vscode.Uri;
}

/** Note to write, and its title. */
interface TitledRequest extends WritingRequest {
  readonly title: string;
}

/** Writes a note from a template with a model, and opens it. Failures are shown with a button that helps. */
export async function generateFromTemplate(
  notebook: NotebookClient,
  parts: WritingParts,
  wish: TitledRequest,
): Promise<void> {
  try {
    const written = await write(notebook, parts, wish, undefined);
    if (written === undefined) return;
    const { text, citations, generated } = written;
    const note = await notebook.call('addNote', { title: noteTitle(wish.title), text, citations });
    await notebook.call('saveGeneratedNote', { title: note.title, generated });
    await notebook.call('endUnfinished', { title: wish.title });
    await showNote(notebook, note.title, 'start');
    const { check } = written;
    if (check !== undefined && (await parts.answerModels.checkRequest()) !== undefined)
      await warnUnchecked(
        {
          message: vscode.l10n.t('“{0}” isn’t fact-checked.', note.title),
          statements: check.statements,
          check: () => checkNote(notebook, { title: note.title, text }, check),
        },
        parts.answerModels,
      );
  } catch (error) {
    showFailure(error, () => generateFromTemplate(notebook, parts, wish));
  }
}

/** Lets the model that the user allowed check a new note, and updates its marks as one edit. */
async function checkNote(
  notebook: NotebookClient,
  { title, text: before }: Pick<FreshNote, 'text'> & { readonly title: string },
  check: NoteCheck,
): Promise<void> {
  const checked = await withNotification(vscode.l10n.t('Fact-checking “{0}”', title), async (signal) => {
    try {
      return await check.run(signal);
    } catch (error) {
      if (isCanceled(error)) return undefined;
      throw error;
    }
  });
  if (checked === undefined) return;
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  if (document.getText() !== before)
    throw new NotebookError(
      'conflict',
      vscode.l10n.t('The note changed in the meantime, so the change wasn’t applied. Try again.'),
    );
  const { text, citations } = checked;
  await replaceInNote(notebook, title, { start: 0, end: before.length, text, citations });
}

/**
 * Writes a note again from its current sources and template. Undefined if the user changed their mind or the model
 * failed, which is shown. Sentences that are still true stay.
 */
export async function regenerateFromTemplate(
  notebook: NotebookClient,
  parts: WritingParts,
  {
    title,
    generated,
  }: { readonly title: string; readonly generated: Extract<GeneratedNote, { kind: 'template' }> },
  again: () => Promise<void>,
): Promise<FreshNote | undefined> {
  const { sourceIds } = generated;
  try {
    const template = await currentTemplate(parts.extensionUri, title, generated.template);
    const since = template.asksSince ? (generated.since ?? (await askSince(notebook))) : undefined;
    if (template.asksSince && since === undefined) return undefined;
    return await write(notebook, parts, { title, template, since, sourceIds }, generated);
  } catch (error) {
    showFailure(error, again);
    return undefined;
  }
}

/**
 * Returns the current template of a note. If its file is missing or invalid, returns the recorded one and shows a
 * message.
 */
async function currentTemplate(
  extensionUri: vscode.Uri,
  title: string,
  template: Template,
): Promise<Template> {
  const current = await templateNow(extensionUri, template.name);
  switch (current.kind) {
    case 'there':
      showProblems(current.uri, current.problems);
      return current.template;
    case 'gone':
      void showWarning(
        vscode.l10n.t(
          'The template “{0}” no longer exists. Open Notebook updates “{1}” with the last saved version of the template.',
          template.title,
          title,
        ),
      );
      return template;
    case 'untrusted':
      void showWarning(
        vscode.l10n.t(
          'Open Notebook reads templates only in trusted workspaces. It updates “{0}” with the last saved version of its template.',
          title,
        ),
      );
      return template;
    case 'invalid':
      void offerFile(
        vscode.l10n.t(
          '{0} Until then, Open Notebook updates “{1}” with the last saved version of the template.',
          current.problem,
          title,
        ),
        current.uri,
      );
      return template;
  }
}

/** Returns the text with its sources; undefined if it was stopped or not started. */
async function write(
  notebook: NotebookClient,
  { answerModels, embedder }: WritingParts,
  wish: TitledRequest,
  before: GeneratedNote | undefined,
): Promise<
  (FreshNote & { readonly generated: GeneratedNote; readonly check: NoteCheck | undefined }) | undefined
> {
  const { template, since, sourceIds, title } = wish;
  const { model, prices } = await answerModels.of('', () => undefined);
  if (model === undefined)
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('Generating “{0}” requires a language model. Pick a model first.', template.title),
      { action: 'pickModel' },
    );
  const task = createHash('sha256').update(notesInstructions(template)).digest('hex');
  const tokens = tokensOfPart(model.windowTokens);
  const planned = (): Promise<WritingPlan | undefined> =>
    unlessSoon(vscode.l10n.t('Analyzing the sources'), (options) =>
      notebook.call('planWriting', { task, since, sourceIds, tokens }, options),
    );
  let plan = await planned();
  if (plan === undefined) return undefined;
  const checker = await answerModels.allowedChecker(() => undefined);
  const estimate = sumEstimates([
    { estimate: estimateWriting(template, plan, model.windowTokens), prices },
    ...(checker === undefined ? [] : [{ estimate: estimateTextCheck(), prices: checker.prices }]),
  ]);
  const agreed = await agree({ wish, plan, estimate, model, checker: checker?.model });
  if (agreed === undefined) return undefined;
  if (agreed === 'start-over') {
    await notebook.call('forgetParts', { task });
    plan = await planned();
    if (plan === undefined) return undefined;
  }
  const { parts } = plan;
  const unfinished = { title, template, since, sourceIds, total: parts.length, begunAt: Date.now() };
  let done = parts.filter(({ isSaved }) => isSaved).length;
  const remember = async (): Promise<void> => {
    if (parts.length > 1 && before === undefined)
      await notebook.call('keepUnfinished', { ...unfinished, done });
  };
  await remember();
  const storedNotes: StoredNotes = {
    find: (key) => notebook.call('partNotes', { task, key }),
    keep: async ({ key, documents, places }, notes) => {
      await notebook.call('keepPart', { task, key, documents, places, notes });
      if (places.length > 0) done++;
      await remember();
    },
  };
  try {
    const finder = passageFinder(notebook, embedder);
    const format = (text: CitedText): Pick<FreshNote, 'citations' | 'text'> =>
      asNote(text, { model, plan, wish }, before?.text ?? '');
    const checked = async (text: CitedText, by: LanguageModel, signal: AbortSignal): Promise<CitedText> => {
      const result = await checkedByModel(text, { model: by, finder, signal });
      if (result.problem !== undefined)
        void showWarning(vscode.l10n.t('“{0}” isn’t fact-checked. {1}', title, result.problem));
      return entriesFor(template, result.text, model.name);
    };
    const text = await whileWriting({ wish, estimate }, async (signal, onStep) => {
      const written = await writeFromTemplate({
        ...{ template, plan, model, storedNotes, signal, onStep, finder },
        before: before === undefined ? '' : noteBody(before.text),
        isReworded: before?.kind === 'template' && before.template.writing !== template.writing,
      });
      return checker === undefined ? written : await checked(written, checker.model, signal);
    });
    const { text: note, citations } = format(text);
    const check: NoteCheck = {
      statements: statementsToCheck({ kind: 'written', model: model.name, ...text }).length,
      run: async (signal) => {
        const allowed = await answerModels.allowedChecker(() => undefined);
        return allowed && format(await checked(text, allowed.model, signal));
      },
    };
    const generated = {
      kind: 'template' as const,
      template,
      since,
      sourceIds,
      text: note,
      documents: plan.documents,
    };
    return {
      ...{
        text: note,
        citations,
        documents: plan.documents,
        generated: { ...generated, generatedAt: Date.now() },
      },
      check: checker === undefined ? check : undefined,
    };
  } catch (error) {
    if (parts.length < 2) throw error;
    const isStopped = isCanceled(error);
    const progressLines = done === 0 ? [] : [vscode.l10n.t('Saved parts: {0} of {1}.', done, parts.length)];
    throw new NotebookError(
      isStopped ? 'cancelled' : error instanceof NotebookError ? error.code : 'internal',
      [
        isStopped ? vscode.l10n.t('Stopped generating “{0}”.', title) : failureMessage(error),
        ...progressLines,
      ].join(' '),
      { ...failureAction(error), cause: error },
    );
  }
}

function failureAction(error: unknown): { readonly action?: ErrorAction } {
  if (isCanceled(error)) return { action: 'tryAgain' };
  return error instanceof NotebookError && error.action !== undefined ? { action: error.action } : {};
}

function failureMessage(error: unknown): string {
  return error instanceof NotebookError
    ? error.message
    : vscode.l10n.t('The operation failed. See the log for details.');
}

/** Time within which work shows no progress, in milliseconds. */
const SOON = 400;

/** Runs work, with progress that can be canceled if it takes a while; undefined if it was canceled. */
async function unlessSoon<T>(
  title: string,
  work: Parameters<typeof withGenerationProgress<T>>[1],
): Promise<T | undefined> {
  const controller = new AbortController();
  let progressOptions: Parameters<typeof work>[0] | undefined;
  const working = work({
    signal: controller.signal,
    onProgress: (progress) => progressOptions?.onProgress(progress),
  });
  const late = Symbol('late');
  if ((await Promise.race([working, setTimeoutPromise(SOON, late)])) !== late) return await working;
  return await withGenerationProgress(title, async (options) => {
    progressOptions = options;
    options.signal.addEventListener('abort', () => controller.abort());
    return await working;
  });
}

/** Asks whether to start, if that costs much or if a part exists already: with the cached results, or from scratch. */
async function agree({
  wish: { title },
  plan: { parts },
  estimate: { input, output, requests, cost },
  model,
  checker,
}: {
  readonly wish: TitledRequest;
  readonly plan: WritingPlan;
  readonly estimate: PricedEstimate;
  readonly model: LanguageModel;
  readonly checker: LanguageModel | undefined;
}): Promise<'go' | 'start-over' | undefined> {
  const savedCount = parts.filter(({ isSaved }) => isSaved).length;
  const isSmall = input + output < CONFIRM_TOKENS;
  if (isSmall && (savedCount === 0 || parts.length < 2)) return 'go';
  const names = [...new Set([model.name, ...(checker === undefined ? [] : [checker.name])])].join(', ');
  const detail = [
    cost === undefined
      ? vscode.l10n.t(
          'Requests to {0}: {1}. Estimated usage: {2} tokens.',
          ...[names, number(requests), roundTokens(input + output)],
        )
      : vscode.l10n.t(
          'Requests to {0}: {1}. Estimated usage: {2} tokens, which cost about {3}.',
          ...[names, number(requests), roundTokens(input + output), dollars(cost, vscode.env.language)],
        ),
    ...(checker === undefined ? [] : [vscode.l10n.t('This includes the fact check.')]),
    vscode.l10n.t('Parts of the sources to read: {0}. You can stop and resume at any time.', parts.length),
    ...(savedCount > 0 ? [vscode.l10n.t('Saved parts: {0} of {1}.', savedCount, parts.length)] : []),
  ].join('\n');
  const [go, startOver] = [vscode.l10n.t('Generate'), vscode.l10n.t('Start Over')];
  const chosen = await showInformation(
    vscode.l10n.t('Generate “{0}”?', title),
    [go, ...(savedCount > 0 ? [startOver] : [])],
    { modal: true, detail },
  );
  return chosen === go ? 'go' : chosen === startOver ? 'start-over' : undefined;
}

/** Runs work with progress that can be stopped. */
async function whileWriting<T>(
  { wish, estimate }: { readonly wish: TitledRequest; readonly estimate: Estimate },
  action: (signal: AbortSignal, onStep: (step: WritingStep) => void) => Promise<T>,
): Promise<T> {
  const title = vscode.l10n.t(
    'Generating “{0}” (about {1} tokens)',
    wish.title,
    roundTokens(estimate.input + estimate.output),
  );
  return await withNotification(title, (signal, report) =>
    action(signal, (step) =>
      report(describeStep(step), step.kind === 'noting' ? (90 * step.done) / step.of : 90),
    ),
  );
}

function describeStep(step: WritingStep): string {
  switch (step.kind) {
    case 'noting':
      return vscode.l10n.t('Read {0} of {1} parts: {2}', step.done, step.of, step.title);
    case 'merging':
      return vscode.l10n.t('Combining the notes');
    case 'writing':
      return vscode.l10n.t('Writing: {0} words', number(step.words));
  }
}

/** Returns the text as a note. Citations that `before` contains keep their numbers. */
function asNote(
  { text, statements, citations }: Awaited<ReturnType<typeof writeFromTemplate>>,
  {
    model,
    plan,
    wish,
  }: { readonly model: LanguageModel; readonly plan: WritingPlan; readonly wish: TitledRequest },
  before: string,
): Pick<FreshNote, 'citations' | 'text'> {
  const answer = { kind: 'written' as const, model: model.name, text, statements, citations };
  const body = bodyAsNote(answer, verdictMarkStyle(), continueLabels(before));
  const about = [
    ...(wish.since === undefined ? [] : [describeSince(wish.since)]),
    plan.sources,
    vscode.l10n.t('Written by {0}.', sanitizeWords(model.name)),
  ].join(' ');
  const written = withVerdictFootnotes(
    `# ${sanitizeWords(wish.template.title)}\n\n${about}\n\n${body.text.trim()}\n`,
  );
  return {
    text: wish.template.name === SLIDES_TEMPLATE ? asDeck(written) : written,
    citations: body.citations,
  };
}

function describeSince(since: Since): string {
  return since.kind === 'note'
    ? vscode.l10n.t('Since “{0}” was generated.', sanitizeWords(since.title))
    : vscode.l10n.t('Since {0}.', new Date(since.at).toISOString().slice(0, 10));
}

/** Returns the text of a generated note below its header, without its citations. */
function noteBody(text: string): string {
  return removeCitations(withoutDeck(text).replace(/^# [^\n]*\n\n[^\n]*\n\n/, '')).trim();
}
/** Fact check of a note that no model has checked. */
interface NoteCheck {
  /** Number of statements that a model would check. */
  readonly statements: number;
  /** Returns the checked note; undefined if no model may check it. */
  readonly run: (signal: AbortSignal) => Promise<Pick<FreshNote, 'citations' | 'text'> | undefined>;
}

/** Generated note in its current version. */
export interface FreshNote {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  readonly documents: readonly DocumentVersion[];
  /** Current record, if it differs from the stored one because the template changed. */
  readonly generated?: GeneratedNote;
}
