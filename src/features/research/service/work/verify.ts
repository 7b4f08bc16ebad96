import { t } from '@vscode/l10n';
import { isSelfTalk } from '../../../../core/language/model-boilerplate.ts';
import { comparedLanguage, languageOfText, termsIn } from '../../../../core/language/words/words.ts';
import type { Statement } from '../../../../core/domain/answer.ts';
import type { Holder, PlanStep, Product } from '../../model/project.ts';
import { checkedByModel, checkText, type CheckedText } from '../../../../answers/writing/check-text.ts';
import {
  countClaims,
  isRefuted,
  restsOnSource,
  withoutStatements,
  type CitedText,
} from '../../../../answers/writing/cited-text.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import { withComputed, type Computation } from './computed.ts';
import { workModel, type WorkContext } from './asking.ts';
import { withFallback } from './explain.ts';
import { FACT_CHECK } from './record.ts';
import { validateFormat, statesLack } from './validate-format.ts';
import type { NumberedPassages } from './numbered-passages.ts';

/** Submitted product after its check, with its problems. */
export interface Checked {
  /** Product without removed statements. */
  readonly cited: CitedText;
  /** Statements that the sources contradict or don't support: removed, or marked if the user keeps them. */
  readonly cut: readonly string[];
  /** Computations that support sentences. */
  readonly restsOn: readonly string[];
  /** Error of the fact check by a model; undefined if it didn't fail. */
  readonly checkProblem: string | undefined;
  /** Problems with its form, or nothing left after the check. Such a product can't be saved. */
  readonly faults: readonly string[];
  /** Possible improvements: statements that the sources don't support, or only partly. */
  readonly doubts: readonly string[];
}

/** Share of unsupported or partly supported statements above which a product is returned to the model. */
const MAX_UNSUPPORTED_RATIO = 0.1;
const MAX_DOUBTED_RATIO = 0.25;
/** Maximum number of reported problems per product, and their maximum length in UTF-16 code units. */
const MAX_PROBLEMS = 8;
const MAX_PROBLEM_LENGTH = 300;
/** Maximum number of repetitions of a sentence. With more, the model is in a loop. */
const MAX_REPETITIONS = 1;

/** Context, passages, and products that a draft can be based on. */
interface DraftBasis {
  readonly context: WorkContext;
  readonly numbered: NumberedPassages;
  /** Products of people, whose words need no source. */
  readonly said: readonly Product[];
  readonly computations?: readonly Computation[];
}

/**
 * Checks the form and the statements of a draft, by a model if there is one. Without a model, it only removes or doubts
 * numbers that conflict with the source.
 */
export async function checkDraft(
  draft: string,
  step: PlanStep,
  { context, numbered, said, computations = [] }: DraftBasis,
): Promise<Checked> {
  const { services, signal } = context;
  const raw = await checkText(draft, numbered.passages, services.finder, signal);
  const { cited, restsOn } = withComputed(
    raw,
    computations,
    numbered.passages.map(({ text }) => text).join('\n'),
  );
  const { text: judged, problem: checkProblem } = await factChecked(
    context,
    withoutTalk(cited),
    numbered.passages,
  );
  const checkedText = withPeoplesWords(judged, said);
  const refuted = checkedText.statements.filter(isRefuted);
  const supported = services.keepsUnsupported ? checkedText : withoutStatements(checkedText, isRefuted);
  const { claims } = countClaims(checkedText.statements);
  const stands =
    checkedText.statements.some(restsOnSource) ||
    checkedText.statements.some((statement, i) => statement !== judged.statements[i]);
  // A lack of information in the sources is a valid product, too, after another search.
  const isLack = !stands && claims === 0 && statesLack(checkedText.text);
  const faults = stands ? validateFormat(supported.text, step) : isLack ? [] : [whyNothing(checkedText)];
  const doubted = checkedText.statements.filter((each) => isRefuted(each) || each.verdict === 'partly');
  const isDoubted =
    refuted.length > MAX_UNSUPPORTED_RATIO * claims || doubted.length > MAX_DOUBTED_RATIO * claims;
  const problems = doubted
    .slice(0, MAX_PROBLEMS)
    .map((statement) => describeDoubt(statement, checkedText.text));
  if (doubted.length > MAX_PROBLEMS)
    problems.push(t('Other statements with these issues: {0}.', doubted.length - MAX_PROBLEMS));
  return {
    restsOn,
    checkProblem,
    cited: supported,
    cut: refuted.map(({ start, end }) => checkedText.text.slice(start, end)),
    faults,
    doubts: isLack ? [whyNothing(checkedText)] : isDoubted ? problems : [],
  };
}

/**
 * Returns a text with a model's verdicts on its statements, and the problem if the check failed. Without a model, or if
 * the budget doesn't allow the check, returns the text unchanged.
 */
export async function factChecked(
  context: WorkContext,
  cited: CitedText,
  read: readonly FoundPassage[],
): Promise<CheckedText> {
  const { services, signal } = context;
  const unchecked = { text: cited, problem: undefined };
  if (services.checker === undefined || read.length === 0) return unchecked;
  const model = workModel(context, FACT_CHECK, services.checker);
  const check = checkedByModel(cited, { model, finder: services.finder, read, signal });
  return await withFallback(check, unchecked, signal);
}

/** Removes remarks of a draft about itself, and repeated sentences. */
function withoutTalk(cited: CitedText): CitedText {
  const timesByText = new Map<string, number>();
  return withoutStatements(cited, ({ start, end, verdict }) => {
    const words = cited.text.slice(start, end);
    if (verdict === 'none') return isSelfTalk(words);
    const key = words.toLowerCase().replaceAll(/\s+/g, ' ');
    const times = timesByText.get(key) ?? 0;
    timesByText.set(key, times + 1);
    return times >= MAX_REPETITIONS;
  });
}

/** Explains why no part of a draft can be saved. */
function whyNothing({ text, statements }: CitedText): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return t('The submitted result is empty.');
  if (countClaims(statements).claims === 0)
    return t('The result contains no statement that a source could support.');
  return statements.some(isRefuted)
    ? t('The passages don’t support any statement in the result.')
    : t('No statement in the result cites a passage.');
}

function describeDoubt({ start, end, verdict, missing = [] }: Statement, text: string): string {
  const words = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, MAX_PROBLEM_LENGTH);
  if (verdict === 'partly') {
    const lacking = missing.map((span) => text.slice(span.start, span.end)).join('; ');
    return lacking === ''
      ? t('The passages only partly support this: “{0}”', words)
      : t('The passages only partly support this, and don’t mention “{1}”: “{0}”', words, lacking);
  }
  return verdict === 'contradicted'
    ? t('The passages contradict this, or give a different number or name: “{0}”', words)
    : t('No passage supports this: “{0}”', words);
}

/** Minimum share of a sentence's terms that a person used for it to count as that person's statement. */
const MIN_SAID_RATIO = 0.8;

/** Exempts statements that only repeat what a person said, because these need no source. */
function withPeoplesWords(cited: CitedText, said: readonly Product[]): CitedText {
  if (said.length === 0) return cited;
  const saidText = said.map(({ text }) => text).join('\n');
  const language = comparedLanguage(saidText, cited.text);
  const known = new Set(termsIn(saidText, language));
  const statements = cited.statements.map((statement) => {
    if (statement.verdict === 'none' || restsOnSource(statement)) return statement;
    const sentence = cited.text.slice(statement.start, statement.end);
    const terms = termsIn(sentence, language, languageOfText(sentence, language));
    const shared = terms.filter((term) => known.has(term)).length;
    if (terms.length === 0 || shared < MIN_SAID_RATIO * terms.length) return statement;
    return { start: statement.start, end: statement.end, verdict: 'none' as const, citations: [] };
  });
  return { ...cited, statements };
}

/** Returns the note of a product whose fact check failed. */
export function checkFailedNote(problem: string): string {
  return t('The fact check failed: {0}', problem);
}

/** Converts a checked draft to a step's product. */
export function toProduct(
  { cited, cut, checkProblem }: Checked,
  step: PlanStep,
  {
    createdBy,
    createdAt,
    notes,
  }: { readonly createdBy: Holder; readonly createdAt: number; readonly notes: readonly string[] },
): Product {
  const allNotes = [...(checkProblem === undefined ? [] : [checkFailedNote(checkProblem)]), ...notes];
  const check = { ...countClaims(cited.statements), cut, ...(allNotes.length > 0 && { notes: allNotes }) };
  return { id: step.produces, ...cited, check, createdBy, createdAt };
}
