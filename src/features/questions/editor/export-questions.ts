import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { NotebookError, unlessCanceled } from '../../../core/domain/errors.ts';
import {
  checkQuestions,
  makeQuestions,
  QuestionsCutShort,
  type CheckedQuestions,
  type GeneratedQuestion,
  type GeneratedQuestions,
} from '../service/make-questions.ts';
import {
  pairAsLine,
  pairsIn,
  QUESTION_KINDS,
  replacePairs,
  type QuestionKind,
  type QuestionPair,
} from '../service/pairs.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { readSmallFile, statFile } from '../../../platform/workspace-files.ts';
import { writeAt } from '../../../platform/write-file.ts';
import { spreadPassages } from './spread-passages.ts';
import { sourcesToAsk } from '../../sources/editor/scope-choice.ts';
import { withNotification, askWhereToWrite, inform, offer } from '../../../platform/dialogs.ts';
import { showErrors } from '../../../platform/show-errors.ts';

/** Models and passages to generate questions. */
export interface QuestionParts {
  readonly notebook: NotebookClient;
  readonly embedder: Pick<Embedder, 'embedQuestion'>;
  /** Returns the current model for answers; undefined if no model writes them. */
  readonly model: () => Promise<LanguageModel | undefined>;
  /** Returns the model that checks the answers; undefined if no model may. */
  readonly checker: () => Promise<LanguageModel | undefined>;
  /** Says that questions aren't fact-checked, with the way to allow the check if consent is missing. */
  readonly warnUnchecked: (content: UncheckedAnswers) => Promise<void>;
}

/** Number of answers without a fact check, and a sentence about it. */
interface UncheckedAnswers {
  readonly message: string;
  readonly statements: number;
  /** Checks the answers after the user's consent. */
  readonly check?: () => Promise<void>;
}

/** Services that check questions. */
export type CheckParts = Pick<QuestionParts, 'checker' | 'embedder' | 'notebook'>;

/** Maximum number of questions, and the suggested number. */
const MAX_QUESTIONS = 5_000;
const USUAL_QUESTIONS = 50;
/** Maximum size of an existing file that questions are added to, in bytes. */
const MAX_FILE_SIZE = 50 * 2 ** 20;

/** Questions to generate. */
interface ExportRequest {
  readonly kinds: readonly QuestionKind[];
  readonly count: number;
  readonly existing: readonly QuestionPair[];
}

/** Asks for the number, kinds, and location of questions, and generates them with a model. @throws NotebookError */
export async function exportQuestions(parts: QuestionParts): Promise<void> {
  const { warnUnchecked: tellUnchecked } = parts;
  const model = await requireModel(parts);
  const kinds = await askForKinds();
  if (kinds === undefined) return;
  const count = await askForCount();
  if (count === undefined) return;
  const file = { kind: 'JSON Lines', name: 'questions', ending: 'jsonl' };
  const uri = await askWhereToWrite(vscode.l10n.t('Generate Question Set'), file);
  if (uri === undefined) return;
  const existing = await pickPairsToKeep(uri);
  if (existing === undefined) return;
  let generated: GeneratedQuestions;
  let failure: unknown;
  try {
    generated = await makeWithProgress(parts, model, { kinds, count: existing.length + count, existing });
  } catch (error) {
    if (!(error instanceof QuestionsCutShort)) throw error;
    ({ newQuestions: generated } = error);
    failure = error.cause;
  }
  if (generated.pairs.length > 0 || failure === undefined)
    await writeAt(
      uri,
      new TextEncoder().encode(
        [...existing, ...generated.pairs].map((pair) => `${pairAsLine(pair)}\n`).join(''),
      ),
    );
  showGenerated(uri, generated);
  const unchecked = uncheckedAnswers(generated.generated);
  const check = (): Promise<void> => checkInFile(uri, generated.generated, parts);
  if (unchecked !== undefined) void showErrors(() => tellUnchecked({ ...unchecked, check }));
  if (failure instanceof Error) throw failure;
}

/**
 * Lets the model that the user allowed check the generated questions of a file. Removes those that it doesn't support,
 * and the note that the others aren't checked. @throws NotebookError
 */
export async function checkInFile(
  uri: vscode.Uri,
  questions: readonly GeneratedQuestion[],
  parts: CheckParts,
): Promise<void> {
  const checked = await checkWithProgress(basename(uri.path), questions, parts);
  if (checked === undefined) return;
  const pairOf = ({ pair }: GeneratedQuestion): QuestionPair => pair;
  const file = new TextDecoder().decode(await readSmallFile(uri, MAX_FILE_SIZE));
  const changed = replacePairs(file, [
    ...checked.supported.map(pairOf).map((pair) => [pair, pair] as const),
    ...checked.unsupported.map(pairOf).map((pair) => [pair, undefined] as const),
  ]);
  if (changed !== file) await writeAt(uri, new TextEncoder().encode(changed));
  showChecked(checked);
}

/**
 * Lets the model that the user allowed check the questions that have no verdict yet, with progress. Returns undefined if
 * the user cancels or no model is allowed. @throws NotebookError
 */
export async function checkWithProgress(
  name: string,
  questions: readonly GeneratedQuestion[],
  { notebook, embedder, checker: openChecker }: CheckParts,
): Promise<CheckedQuestions | undefined> {
  const checker = await openChecker();
  if (checker === undefined) return undefined;
  const waiting = questions.filter(({ isChecked }) => !isChecked);
  const finder = passageFinder(notebook, embedder);
  return withNotification(vscode.l10n.t('Fact-checking “{0}”', name), (signal, report) => {
    const onProgress = (done: number): void =>
      report(vscode.l10n.t('{0} of {1}', done, waiting.length), (100 * done) / waiting.length);
    return unlessCanceled(checkQuestions(waiting, { checker, finder, signal, onProgress }));
  });
}

/** Shows the result of a fact check in one message. */
export function showChecked({ supported, unsupported, unchecked, problem }: CheckedQuestions): void {
  const remaining = uncheckedAnswers(unchecked);
  inform(
    [
      vscode.l10n.t(
        'Supported answers: {0}. Removed questions with unsupported answers: {1}.',
        ...[supported.length, unsupported.length],
      ),
      ...(remaining === undefined ? [] : [remaining.message]),
      ...(problem === undefined ? [] : [problem]),
    ].join(' '),
  );
}

/** Generates multiple-choice questions without saving them. @throws NotebookError */
export async function makeChoices(parts: QuestionParts): Promise<readonly QuestionPair[] | undefined> {
  const model = await requireModel(parts);
  const count = await askForCount();
  if (count === undefined) return undefined;
  const { pairs } = await makeWithProgress(parts, model, { kinds: ['choice'], count, existing: [] });
  return pairs;
}

/** Returns the model that writes questions. @throws NotebookError `empty`, `model-missing` */
export async function requireModel({ model, notebook }: QuestionParts): Promise<LanguageModel> {
  await sourcesToAsk(notebook);
  const picked = await model();
  if (picked !== undefined) return picked;
  throw new NotebookError(
    'model-missing',
    vscode.l10n.t('Generating questions requires a language model. Pick a model first.'),
    { action: 'pickModel' },
  );
}

async function makeWithProgress(
  { notebook, embedder, checker: openChecker }: QuestionParts,
  model: LanguageModel,
  { kinds, count, existing }: ExportRequest,
): Promise<GeneratedQuestions> {
  return await withNotification(vscode.l10n.t('Generating questions'), async (signal, report) => {
    const more = count - existing.length;
    const onProgress = (existingCount: number): void => {
      const percent = (100 * (existingCount - existing.length)) / Math.max(1, more);
      report(vscode.l10n.t('{0} of {1}', existingCount, count), percent);
    };
    onProgress(existing.length);
    const finder = passageFinder(notebook, embedder);
    const passages = await spreadPassages({ notebook, embedder }, more, signal);
    const checker = await openChecker();
    return await makeQuestions({
      ...{ passages, kinds, count, existing, model, checker, finder, signal, onProgress },
    });
  });
}

async function askForKinds(): Promise<readonly QuestionKind[] | undefined> {
  const labels: Readonly<Record<QuestionKind, string>> = {
    short: vscode.l10n.t('Short answers'),
    long: vscode.l10n.t('Long answers'),
    'yes-no': vscode.l10n.t('Yes or no'),
    choice: vscode.l10n.t('Multiple choice'),
  };
  const items = QUESTION_KINDS.map((kind) => ({ of: kind, label: labels[kind], picked: true }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Generate Question Set'),
    placeHolder: vscode.l10n.t('Select the types of questions'),
    canPickMany: true,
  });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ of }) => of);
}

async function askForCount(): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Number of questions'),
    prompt: vscode.l10n.t('Sends one request per passage, up to three times the number of questions'),
    value: String(USUAL_QUESTIONS),
    validateInput: (value) =>
      /^\s*\d{1,4}\s*$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_QUESTIONS
        ? undefined
        : vscode.l10n.t('Enter a number from 1 to {0}.', MAX_QUESTIONS),
  });
  return typed === undefined ? undefined : Number(typed);
}

/** Returns the questions of an existing file that stay; undefined if the user cancels. */
async function pickPairsToKeep(uri: vscode.Uri): Promise<readonly QuestionPair[] | undefined> {
  if ((await statFile(uri)) === undefined) return [];
  const { pairs } = await readPairs(uri);
  if (pairs.length === 0) return [];
  const goOn = {
    label: vscode.l10n.t('Add to this file'),
    detail: vscode.l10n.t('Keeps the existing questions ({0}) and doesn’t repeat them', pairs.length),
    stays: pairs,
  };
  const overwriting = { label: vscode.l10n.t('Overwrite this file'), stays: [] };
  const title = basename(uri.path);
  return (await vscode.window.showQuickPick<typeof overwriting | typeof goOn>([goOn, overwriting], { title }))
    ?.stays;
}

/** Returns the questions of a file. @throws NotebookError `too-large` */
export async function readPairs(uri: vscode.Uri): Promise<ReturnType<typeof pairsIn>> {
  const stat = await statFile(uri);
  if ((stat?.size ?? 0) > MAX_FILE_SIZE)
    throw new NotebookError(
      'too-large',
      vscode.l10n.t('{0} is too large for a question set. Split it into smaller files.', basename(uri.path)),
    );
  return pairsIn(new TextDecoder().decode(await readSmallFile(uri, MAX_FILE_SIZE)));
}

/** Returns a sentence about the number of answers that no model checked; undefined if there are none. */
export function uncheckedAnswers(
  questions: readonly Pick<GeneratedQuestion, 'isChecked'>[],
): UncheckedAnswers | undefined {
  const statements = questions.filter(({ isChecked }) => !isChecked).length;
  if (statements === 0) return undefined;
  const message =
    statements === 1
      ? vscode.l10n.t('1 answer isn’t fact-checked.')
      : vscode.l10n.t('{0} answers aren’t fact-checked.', statements);
  return { message, statements };
}

function showGenerated(uri: vscode.Uri, { pairs, dropped, ended }: GeneratedQuestions): void {
  const name = basename(uri.path);
  const messageParts = [
    pairs.length === 1
      ? vscode.l10n.t('Wrote 1 question to {0}.', name)
      : vscode.l10n.t('Wrote {0} questions to {1}.', pairs.length, name),
  ];
  const { unsupported, repeated, withoutChoices, unclear } = dropped;
  if (unsupported + repeated + withoutChoices + unclear > 0)
    messageParts.push(
      vscode.l10n.t(
        'Questions discarded: {0} unsupported, {1} repeated, {2} without enough choices, {3} unclear.',
        unsupported,
        repeated,
        withoutChoices,
        unclear,
      ),
    );
  if (ended === 'stopped') messageParts.push(vscode.l10n.t('To continue, save to the same file again.'));
  else if (ended !== 'done')
    messageParts.push(vscode.l10n.t('The sources have no more material for questions.'));
  void offer(messageParts.join(' '), vscode.l10n.t('Open'), () =>
    vscode.commands.executeCommand('vscode.open', uri),
  );
}
