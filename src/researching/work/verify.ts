import { t } from '@vscode/l10n';
import { isSelfTalk } from '../../language/self-talk.ts';
import { comparedLanguage, languageOfText, termsIn } from '../../language/words/words.ts';
import type { Statement } from '../../notebook/answer.ts';
import type { Holder, PlanStep, Product } from '../../notebook/research.ts';
import { checkText } from '../../answering/writing/check-text.ts';
import { countClaims, withoutStatements, type CitedText } from '../../answering/writing/cited-text.ts';
import { withComputed, type Computation } from './computed.ts';
import type { WorkContext } from './asking.ts';
import { formProblems, tellsLack } from './form.ts';
import type { NumberedPassages } from './numbered-passages.ts';

/** A product that was handed in, checked, and what is wrong with it. */
export interface Checked {
  /** Without what was cut. */
  readonly cited: CitedText;
  /** The sentences that nothing bore out; taken out, or marked where the user keeps them. */
  readonly cut: readonly string[];
  /** What was computed for sentences that say it. */
  readonly restsOn: readonly string[];
  /** What is wrong with its form, or that nothing is left of it: it can't be kept so. */
  readonly faults: readonly string[];
  /** What could be better: sentences that nothing bore out. */
  readonly doubts: readonly string[];
}

/** Of the sentences that claim something so many may be borne out by nothing, or not wholly, without its being sent back. */
const MOST_UNSUPPORTED = 0.1;
const MOST_DOUBTED = 0.25;
/** Problems that are told of one product, and how long a sentence is told. */
const MOST_TOLD = 8;
const LONGEST_TOLD = 300;
/** A sentence that stands so often already is a circle. */
const MOST_REPEATED = 1;

/** What a draft may rest on. */
interface DraftBasis {
  readonly context: WorkContext;
  readonly numbered: NumberedPassages;
  /** Products of people, whose words need no source. */
  readonly said: readonly Product[];
  readonly computations?: readonly Computation[];
}

/** Checks a draft sentence by sentence, and its form. */
export async function checkDraft(
  draft: string,
  step: PlanStep,
  { context, numbered, said, computations = [] }: DraftBasis,
): Promise<Checked> {
  const { services, signal } = context;
  const raw = await checkText(draft, numbered.passages, services.finder, signal);
  const { cited: all, restsOn } = withComputed(
    withPeoplesWords(raw, said),
    computations,
    numbered.passages.map(({ text }) => text).join('\n'),
  );
  const statementText = ({ start, end }: Statement, { text }: CitedText): string => text.slice(start, end);
  const seen = new Map<string, number>();
  const talk = withoutStatements(all, (statement) => {
    const words = statementText(statement, all);
    if (statement.verdict === 'none' && isSelfTalk(words)) return true;
    if (statement.verdict === 'none') return false;
    const key = words.toLowerCase().replaceAll(/\s+/g, ' ');
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times >= MOST_REPEATED;
  });
  const unsupported = talk.statements.filter(isUnsupported);
  const kept = services.keepsUnsupported ? talk : withoutStatements(talk, isUnsupported);
  const { claims } = countClaims(talk.statements);
  const isBorneOut =
    claims > unsupported.length || all.statements.some((statement, i) => statement !== raw.statements[i]);
  // That the sources say nothing to it is a product, too, once it was looked for again.
  const isLack = !isBorneOut && claims === 0 && tellsLack(talk.text);
  const faults = isBorneOut ? formProblems(kept.text, step) : isLack ? [] : [whyNothing(talk.text, claims)];
  const wrong = unsupported.filter(({ verdict }) => verdict !== 'partly');
  const isDoubted = wrong.length > MOST_UNSUPPORTED * claims || unsupported.length > MOST_DOUBTED * claims;
  const told = unsupported.slice(0, MOST_TOLD).map((statement) => tellDoubt(statement, talk.text));
  if (unsupported.length > MOST_TOLD)
    told.push(t('Further statements with such issues: {0}.', unsupported.length - MOST_TOLD));
  return {
    restsOn,
    cited: kept,
    cut: unsupported.map((statement) => statementText(statement, talk)),
    faults,
    doubts: isLack ? [whyNothing(talk.text, claims)] : isDoubted ? told : [],
  };
}

/**
 * Whether nothing bears all of a sentence out. What is only partly borne out is not: of sentences altered in a number, a
 * name or a negation 49 of 141 are found out that way, and 3 of 142 true ones with them.
 */
function isUnsupported({ verdict }: Statement): boolean {
  return verdict !== 'supported' && verdict !== 'none';
}

/** Why nothing of a draft can be kept. */
function whyNothing(text: string, claims: number): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return t('The submitted result is empty.');
  return claims === 0
    ? t('The result contains no statement that a source could support.')
    : t('The passages don’t support any statement in the result.');
}

function tellDoubt({ start, end, verdict, missing = [] }: Statement, text: string): string {
  const words = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, LONGEST_TOLD);
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

/** Of a sentence so many terms have to be a person's for it to be their words. */
const SHARE_OF_SAID = 0.8;

/** Sentences that nothing bears out but what a person said, who needs no source for it, claim nothing of the sources. */
function withPeoplesWords(cited: CitedText, said: readonly Product[]): CitedText {
  if (said.length === 0) return cited;
  const saidText = said.map(({ text }) => text).join('\n');
  const language = comparedLanguage(saidText, cited.text);
  const known = new Set(termsIn(saidText, language));
  const statements = cited.statements.map((statement) => {
    if (!isUnsupported(statement)) return statement;
    const sentence = cited.text.slice(statement.start, statement.end);
    const terms = termsIn(sentence, language, languageOfText(sentence, language));
    const shared = terms.filter((term) => known.has(term)).length;
    if (terms.length === 0 || shared < SHARE_OF_SAID * terms.length) return statement;
    return { start: statement.start, end: statement.end, verdict: 'none' as const, citations: [] };
  });
  return { ...cited, statements };
}

/** A checked draft as a step's product. */
export function toProduct(
  { cited, cut }: Checked,
  step: PlanStep,
  {
    madeBy,
    madeAt,
    notes,
  }: { readonly madeBy: Holder; readonly madeAt: number; readonly notes: readonly string[] },
): Product {
  const check = { ...countClaims(cited.statements), cut, ...(notes.length > 0 && { notes }) };
  return { id: step.produces, ...cited, check, madeBy, madeAt };
}
