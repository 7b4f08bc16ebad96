import { t } from '@vscode/l10n';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { dollars, type TokenUsage } from '../../../core/domain/usage.ts';
import { choiceLetter, type ChoiceQuestion } from './pairs.ts';
import type { QuizReply, QuizResult } from './quiz.ts';

/** Quiz of a model with its token usage; undefined if nothing arrived. */
export type MeteredResult = QuizResult & { readonly usage: TokenUsage | undefined };

/** Maximum number of questions that are listed with each model's answer. */
const MAX_SHOWN_QUESTIONS = 500;

interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly none: number;
}

/** Formats a quiz as Markdown: tables by model, kind, and source, and each model's reply to each question. */
export function quizReport(questions: readonly ChoiceQuestion[], results: readonly MeteredResult[]): string {
  const parts = [
    `# ${t('Quiz')}`,
    questions.length === 1 ? t('1 question') : t('{0} questions', questions.length),
    modelTable(questions, results),
    ...results.flatMap(({ name, error, replies }) =>
      error === undefined
        ? []
        : [
            `- ${sanitizeWords(
              replies.length < questions.length
                ? t('{0} didn’t answer all questions: {1}', name, error)
                : t('{0} failed on some questions: {1}', name, error),
            )}`,
          ],
    ),
    ...groupTable(t('Results by type'), questions, results, ({ about = '' }) => about),
    ...groupTable(t('Results by source'), questions, results, ({ source }) => source),
    `## ${t('Questions')}`,
    ...questions
      .slice(0, MAX_SHOWN_QUESTIONS)
      .map((question, index) => questionPart(question, index, results)),
    ...(questions.length > MAX_SHOWN_QUESTIONS
      ? [t('{0} more not shown', questions.length - MAX_SHOWN_QUESTIONS)]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function modelTable(questions: readonly ChoiceQuestion[], results: readonly MeteredResult[]): string {
  const rows = results.map((result) => {
    const { right, wrong, none } = countScore(questions, result.replies);
    const { usage, time } = result;
    const tokens = usage === undefined ? '' : String(usage.input + usage.output);
    const cost = usage?.cost === undefined ? '' : dollars(usage.cost);
    const share = questions.length === 0 ? '' : `${((100 * right) / questions.length).toFixed(0)} %`;
    return [
      result.name,
      `${String(right)} (${share})`,
      String(wrong),
      String(none),
      tokens,
      cost,
      `${(time / 1_000).toFixed(1)} s`,
    ];
  });
  return table(
    [t('Model'), t('Correct'), t('Incorrect'), t('No answer'), t('Tokens'), t('Cost'), t('Time')],
    rows,
  );
}

/** Counts right and wrong answers. Questions without a reply don't count. */
function countScore(questions: readonly ChoiceQuestion[], replies: readonly QuizReply[]): Score {
  let right = 0;
  let wrong = 0;
  questions.forEach((question, index) => {
    const chosen = replies[index]?.chosen;
    if (chosen === undefined) return;
    if (question.choices[chosen] === question.answer) right++;
    else wrong++;
  });
  return { right, wrong, none: questions.length - right - wrong };
}

/** Formats the right answers by a property of the questions; empty if all have the same. */
function groupTable(
  title: string,
  questions: readonly ChoiceQuestion[],
  results: readonly MeteredResult[],
  toKey: (question: ChoiceQuestion) => string,
): string[] {
  const groups = Map.groupBy(questions.keys(), (index) => {
    const question = questions[index];
    return question === undefined ? '' : toKey(question);
  });
  if (groups.size < 2) return [];
  const rows = Array.from(groups, ([key, indexes]) => [
    key === '' ? '–' : key,
    String(indexes.length),
    ...results.map(({ replies }) => {
      const groupQuestions = indexes.flatMap((index) => questions[index] ?? []);
      const groupReplies = indexes.map((index) => replies[index] ?? { chosen: undefined, said: '' });
      return String(countScore(groupQuestions, groupReplies).right);
    }),
  ]);
  return [`## ${title}`, table(['', t('Questions'), ...results.map(({ name }) => name)], rows)];
}

function questionPart(question: ChoiceQuestion, index: number, results: readonly MeteredResult[]): string {
  const { choices, answer, source, place } = question;
  const where = [source, place].filter((part) => part !== '').join(', ');
  const lines = choices.map((choice, at) => {
    const names = results.filter(({ replies }) => replies[index]?.chosen === at).map(({ name }) => name);
    const mark = choice === answer ? '✓ ' : '';
    return `- ${mark}${choiceLetter(at)}) ${words(choice)}${names.length > 0 ? ` — ${words(names.join(', '))}` : ''}`;
  });
  const silent = results.filter(
    ({ replies }) => replies[index] !== undefined && replies[index].chosen === undefined,
  );
  const others = silent.map(({ name, replies }) => {
    const reply = replies[index]?.said ?? '';
    return `- ${words(name)}: ${reply === '' ? t('no answer') : `“${words(reply)}”`}`;
  });
  const heading = `### ${String(index + 1)}. ${words(question.question)}`;
  return [heading, '', ...(where === '' ? [] : [`_${words(where)}_`, '']), ...lines, ...others].join('\n');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => words(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function words(text: string): string {
  return sanitizeWords(text);
}
