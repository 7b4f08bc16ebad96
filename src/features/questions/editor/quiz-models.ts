import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { NotebookError, errorMessage } from '../../../core/domain/errors.ts';
import type { ModelChoice, ProvidedChoice } from '../../../core/domain/model-choice.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import { isChoice, type ChoiceQuestion } from '../service/pairs.ts';
import { quiz } from '../service/quiz.ts';
import { quizReport, type MeteredResult } from '../service/quiz-report.ts';
import { modelGroups, type Item } from '../../models/editor/model-items.ts';
import type { ModelProviders } from '../../models/editor/model-providers.ts';
import { makeChoices, readPairs, type QuestionParts } from './export-questions.ts';
import { chosenFrom, withNotification, showMarkdown } from '../../../platform/dialogs.ts';

/** Services to query models. */
interface QuizParts extends QuestionParts {
  readonly providers: ModelProviders;
  /** Returns the current model for answers. */
  readonly current: () => Promise<ModelChoice>;
  /** Opens a picked model; undefined for excerpts only. */
  readonly openModel: (
    choice: ModelChoice,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<LanguageModel | undefined>;
}

/** Maximum number of questions. */
const MAX_QUESTIONS = 2_000;
/** Fixed order of choices, so that quizzes can be compared. */
const SEED = 1;

/**
 * Quizzes models with the multiple-choice questions of a file, or with new ones, and shows the results.
 * @throws NotebookError
 */
export async function quizModels(parts: QuizParts): Promise<void> {
  const questions = await questionsToAsk(parts);
  if (questions === undefined) return;
  const choices = await askForModels(parts);
  if (choices === undefined || choices.length === 0) return;
  const results = await quizWithProgress(parts, questions, choices);
  if (results.every(({ replies }) => replies.length === 0)) {
    const [first] = results;
    if (first?.error !== undefined) throw new NotebookError('server', first.error);
    return;
  }
  const content = quizReport(questions, results);
  await showMarkdown(content);
  await vscode.commands.executeCommand('markdown.showPreviewToSide');
}

async function questionsToAsk(parts: QuizParts): Promise<readonly ChoiceQuestion[] | undefined> {
  const open = vscode.window.activeTextEditor?.document.uri;
  const choice = await vscode.window.showQuickPick(
    [
      ...(open?.path.endsWith('.jsonl') === true
        ? [{ from: 'open' as const, label: `$(file) ${basename(open.path)}` }]
        : []),
      { from: 'file' as const, label: `$(folder-opened) ${vscode.l10n.t('Choose File…')}` },
      { from: 'made' as const, label: `$(sparkle) ${vscode.l10n.t('Generate Questions…')}` },
    ],
    {
      title: vscode.l10n.t('Evaluate Models with a Quiz'),
      placeHolder: vscode.l10n.t('Select the questions to use'),
    },
  );
  switch (choice?.from) {
    case undefined:
      return undefined;
    case 'made': {
      const pairs = await makeChoices(parts);
      return pairs === undefined ? undefined : requireChoices(pairs);
    }
    case 'open':
      return open === undefined
        ? undefined
        : requireChoices((await readPairs(open)).pairs, basename(open.path));
    case 'file': {
      const [uri] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Evaluate Models with a Quiz'),
          filters: { 'JSON Lines': ['jsonl'] },
        })) ?? [];
      return uri === undefined ? undefined : requireChoices((await readPairs(uri)).pairs, basename(uri.path));
    }
  }
}

/** @throws NotebookError `empty` */
function requireChoices(
  pairs: Awaited<ReturnType<typeof readPairs>>['pairs'],
  name?: string,
): readonly ChoiceQuestion[] {
  const questions = pairs.filter(isChoice).slice(0, MAX_QUESTIONS);
  if (questions.length > 0) return questions;
  throw new NotebookError(
    'empty',
    name === undefined
      ? vscode.l10n.t(
          'Can’t generate multiple-choice questions. The sources contain too few numbers, names, and terms.',
        )
      : vscode.l10n.t(
          '{0} has no multiple-choice questions. Choose a file created with “Generate Question Set…”.',
          name,
        ),
  );
}

/** Lists the available models, the fastest endpoints first; undefined if the user picks none. */
async function askForModels({
  providers,
  current,
}: QuizParts): Promise<readonly ProvidedChoice[] | undefined> {
  const currentModel = await current();
  const controller = new AbortController();
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Evaluate Models with a Quiz');
  picker.placeholder = vscode.l10n.t('Select the models to evaluate');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.busy = true;
  const groups = modelGroups(providers, controller.signal, currentModel);
  const isCurrent = ({ action }: Item): boolean =>
    action?.kind === 'pick' && providers.isSame(action.choice, currentModel);
  let waiting = groups.length;
  const show = (items: readonly Item[]): void => {
    const ticked = picker.selectedItems;
    const added = items.filter(isSelectable);
    // Skips headings without items.
    if (added.length > 1) picker.items = [...picker.items, ...added];
    picker.selectedItems = [...ticked, ...added.filter(isCurrent)];
    picker.busy = --waiting > 0;
  };
  for (const { items: pending } of groups)
    void pending
      .catch((): Item[] => [])
      .then((items) => {
        if (!controller.signal.aborted) show(items);
      });
  try {
    return await chosenFrom<readonly ProvidedChoice[], Item>(picker, (choose) => {
      picker.onDidAccept(() => {
        choose(
          picker.selectedItems.flatMap(({ action }) =>
            action?.kind === 'pick' && action.choice.name !== undefined ? [action.choice] : [],
          ),
        );
      });
    });
  } finally {
    controller.abort();
  }
}

function isSelectable({ action, kind }: Item): boolean {
  return kind === vscode.QuickPickItemKind.Separator || action?.kind === 'pick';
}

async function quizWithProgress(
  { openModel, providers }: QuizParts,
  questions: readonly ChoiceQuestion[],
  choices: readonly ProvidedChoice[],
): Promise<MeteredResult[]> {
  const usages: (TokenUsage | undefined)[] = [];
  const unmade: MeteredResult[] = [];
  const models: { readonly name: string; readonly model: LanguageModel; readonly index: number }[] = [];
  for (const [index, choice] of choices.entries()) {
    const name = nameAmong(choice, choices, providers);
    try {
      const model = await openModel(choice, (usage) => {
        usages[index] = addedUsage(usages[index], usage);
      });
      if (model !== undefined) models.push({ name, model, index });
    } catch (error) {
      const message = errorMessage(error);
      unmade.push({ name, replies: [], time: 0, error: message, usage: undefined });
    }
  }
  const total = questions.length * models.length;
  const title = vscode.l10n.t('Asking the questions');
  const results = await withNotification(title, (signal, report) =>
    quiz({
      ...{ questions, models, seed: SEED, signal },
      now: () => performance.now(),
      onProgress: (answered) =>
        report(vscode.l10n.t('{0} of {1}', answered, total), (100 * answered) / Math.max(1, total)),
    }),
  );
  return [
    ...results.map((result, index) => ({ ...result, usage: usages[models[index]?.index ?? -1] })),
    ...unmade,
  ];
}

/** Returns a model's name, with its provider if several models have the same name. */
function nameAmong(
  choice: ProvidedChoice,
  choices: readonly ProvidedChoice[],
  providers: ModelProviders,
): string {
  if (choices.filter(({ name }) => name === choice.name).length < 2) return choice.name;
  return `${choice.name} (${providers.find(choice)?.provider ?? choice.kind})`;
}
