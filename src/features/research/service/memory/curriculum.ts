import { plainWords } from '../../../../core/language/words/folding.ts';
import { comparedLanguage } from '../../../../core/language/words/words.ts';
import { t } from '@vscode/l10n';
import { passagesInWords } from '../../../../core/domain/counts.ts';
import type {
  CoverageCounts,
  DocumentCount,
  NextLook,
  PastQuestion,
  SectionCount,
} from '../../model/coverage.ts';
import type { ResearchEntry } from '../../model/project.ts';
import { namesTopic, questionAbout } from '../../../../core/domain/suggestions.ts';
import { documentTitle } from './coverage.ts';
import { likenessTo, termSet } from './likeness.ts';

/** Maximum number of failures of a question or goal that is still proposed. */
const MAX_FAILURES = 3;
/**
 * Maximum number of proposed sections per document, and minimum share of proposals that aren't sections, if there are
 * any.
 */
const MAX_SUGGESTIONS_PER_DOCUMENT = 2;
const SHARE_OF_OTHERS = 0.5;
/**
 * Minimum length of a section, in UTF-16 code units, and the length that accounts for half of the maximum effort for
 * length.
 */
const MIN_LENGTH = 80;
const USUAL_LENGTH = 4_000;
/** Maximum number of questions and goals that show the user's interests. */
const MAX_PAST_INTERESTS = 60;
/** Maximum number of compared sections, easiest first, in total and per document. */
const MAX_COMPARED_SECTIONS = 200;
const MAX_COMPARED_PER_DOCUMENT = 12;

interface Curriculum {
  readonly counts: CoverageCounts;
  /** Past questions, most recent first. */
  readonly questions: readonly PastQuestion[];
  readonly researches: readonly ResearchEntry[];
}

/** Proposal with its rank. Lower ranks come first. */
interface Ranked {
  readonly look: NextLook;
  readonly rank: number;
}

/**
 * Proposes what to look at next: sections that no answer cites, questions that failed, and goals that weren't reached.
 * Sorts by effort: sections next to known ones before distant ones, short before long, questions that failed once
 * before those that failed often. Sections similar to the user's own questions and goals move up.
 */
export function nextToLookAt({ counts, questions, researches }: Curriculum, limit = 8): readonly NextLook[] {
  const others = [...failedQuestions(questions), ...openGoals(researches)].toSorted(
    (a, b) => a.rank - b.rank,
  );
  const sections = uncitedSections(counts, questions, researches).toSorted((a, b) => a.rank - b.rank);
  const places = Math.max(limit - others.length, Math.ceil(SHARE_OF_OTHERS * limit));
  const shown = varyQuestions(sections).slice(0, places);
  return [...shown, ...others.slice(0, limit - shown.length)]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ look }) => look);
}

/** Limits the number of proposals per document, best first. */
function varyQuestions(ranked: readonly Ranked[]): Ranked[] {
  const count = new Map<number, number>();
  return ranked.filter(({ look }) => {
    const id = look.place?.documentId ?? -1;
    count.set(id, (count.get(id) ?? 0) + 1);
    return (count.get(id) ?? 0) <= MAX_SUGGESTIONS_PER_DOCUMENT;
  });
}

/** Distance of a section in a cited document. It is 0 next to a cited section and 1 in another document. */
const IN_CITED_DOCUMENT = 0.5;

/**
 * Estimated effort from 0 to 1, which orders the proposals. A question whose answer broke off may work on the next try.
 * An unanswered question needs other sources, and more with each failure. A research project counts half, more if many
 * of its steps are left or it failed. A section next to a cited one counts little, a section in another document more,
 * and a long section more than a short one. No data supports these values.
 */
const EFFORT = {
  brokeOff: 0.1,
  bad: 0.4,
  nothing: 0.6,
  again: 0.2,
  goal: 0.5,
  stepsLeft: 0.3,
  failed: 0.1,
  distance: 0.6,
  length: 0.4,
};

function questionKey(question: string): string {
  return plainWords(question).join(' ');
}

function failedQuestions(questions: readonly PastQuestion[]): Ranked[] {
  const byKey = Map.groupBy(questions, ({ question }) => questionKey(question));
  return [...byKey.values()].flatMap((question): Ranked[] => {
    const last = question.reduce((a, b) => (b.askedAt > a.askedAt ? b : a));
    const failures = question.filter(({ outcome }) => outcome !== 'answered').length;
    if (last.outcome === 'answered' || failures > MAX_FAILURES) return [];
    const [why, first] = whyFailed(last.outcome);
    const effort = Math.min(1, first + EFFORT.again * (failures - 1));
    return [{ look: { kind: 'question', goal: last.question, why, effort }, rank: effort }];
  });
}

/** Explains why a question is proposed again, and estimates its effort. Low for an answer that broke off. */
function whyFailed(outcome: 'bad' | 'failed' | 'nothing'): readonly [why: string, effort: number] {
  switch (outcome) {
    case 'failed':
      return [t('You asked this question before, but got no answer.'), EFFORT.brokeOff];
    case 'bad':
      return [t('You rated the answer to this question as bad.'), EFFORT.bad];
    case 'nothing':
      return [t('An earlier answer to this question cited no sources.'), EFFORT.nothing];
  }
}

function openGoals(researches: readonly ResearchEntry[]): Ranked[] {
  const byKey = Map.groupBy(researches, ({ goal }) => questionKey(goal));
  return [...byKey.values()].flatMap((same): Ranked[] => {
    const last = same.reduce((a, b) => (b.changedAt > a.changedAt ? b : a));
    const failures = same.filter(({ state }) => state === 'failed').length;
    const { state, goal, id, done, steps, reason } = last;
    if ((state !== 'failed' && state !== 'paused') || failures > MAX_FAILURES) return [];
    const why =
      state === 'paused'
        ? t('This research project is paused. Steps done: {0} of {1}.', done, steps)
        : t('This research project failed. {0}', reason ?? '').trim();
    const remainingShare = steps === 0 ? 1 : (steps - done) / steps;
    const effort = Math.min(1, EFFORT.goal + EFFORT.stepsLeft * remainingShare + EFFORT.failed * failures);
    return [{ look: { kind: 'goal', goal, why, effort, researchId: id }, rank: effort }];
  });
}

function uncitedSections(
  { documents, sections }: CoverageCounts,
  questions: readonly PastQuestion[],
  researches: readonly ResearchEntry[],
): Ranked[] {
  const byDocument = Map.groupBy(sections, ({ documentId }) => documentId);
  const existingQuestions = new Set(
    [...questions.map(({ question }) => question), ...researches.map(({ goal }) => goal)].map(questionKey),
  );
  const interests = [
    ...questions.slice(0, MAX_PAST_INTERESTS).map(({ question }) => question),
    ...researches.slice(0, MAX_PAST_INTERESTS).map(({ goal }) => goal),
  ];
  const chosen: Candidate[] = [];
  const countsBySource = new Map<number, number>();
  const allCandidates = documents.flatMap((document) =>
    candidates(document, byDocument.get(document.documentId) ?? []),
  );
  for (const candidate of allCandidates.toSorted((x, y) => x.effort - y.effort)) {
    if (chosen.length >= MAX_COMPARED_SECTIONS) break;
    const { documentId } = candidate.document;
    const count = countsBySource.get(documentId) ?? 0;
    if (count >= MAX_COMPARED_PER_DOCUMENT || !isProposable(candidate)) continue;
    if (existingQuestions.has(questionKey(proposeGoal(candidate)))) continue;
    countsBySource.set(documentId, count + 1);
    chosen.push(candidate);
  }
  const titles = chosen.map(({ document, section }) =>
    [documentTitle(document), ...(section?.headings ?? [])].join('\n'),
  );
  const language = comparedLanguage(interests.join('\n'), titles.join('\n'));
  const like = likenessTo(interests.map((words) => termSet(words, language)));
  return chosen.map((candidate, i): Ranked => {
    const interest = Math.max(0, ...like(termSet(titles[i] ?? '', language)).values());
    return { look: toNextLook(candidate), rank: candidate.effort - interest };
  });
}

/** Section without citations, or a document without sections to ask about. */
interface Candidate {
  readonly document: DocumentCount;
  readonly section: SectionCount | undefined;
  /** Distance from the known sections: 0 next to one, 0.5 in the same document, 1 elsewhere. */
  readonly distance: number;
  readonly effort: number;
}

function candidates(document: DocumentCount, sections: readonly SectionCount[]): Candidate[] {
  const isBeside = besideCited(sections);
  const isAskable = sections.some(({ headings }) => hasTopicHeading(document, headings));
  if (!isAskable) {
    if (document.cited > 0 || document.passages === 0) return [];
    const length = sections.reduce((sum, section) => sum + section.length, 0);
    return [{ document, section: undefined, distance: 1, effort: estimateEffort(1, length) }];
  }
  return sections
    .filter((section) => section.cited === 0 && section.length >= MIN_LENGTH)
    .map((section) => {
      const distance = isBeside(section.headings) ? 0 : document.cited > 0 ? IN_CITED_DOCUMENT : 1;
      return { document, section, distance, effort: estimateEffort(distance, section.length) };
    });
}

/** Reports whether the title or heading of a candidate can become a question. */
function isProposable({ document, section }: Candidate): boolean {
  const title = documentTitle(document);
  if (section === undefined) return title !== '';
  return hasTopicHeading(document, section.headings);
}

/** Reports whether a section has a heading that can become a question and differs from the document's title. */
function hasTopicHeading(document: DocumentCount, headings: readonly string[]): boolean {
  const heading = headings.at(-1) ?? '';
  return namesTopic(heading) && questionKey(heading) !== questionKey(documentTitle(document));
}

function proposeGoal({ document, section }: Candidate): string {
  const title = documentTitle(document);
  return section === undefined
    ? t('What does {0} say?', title)
    : questionAbout(title, section.headings.at(-1) ?? '');
}

function toNextLook(candidate: Candidate): NextLook {
  const { document, section, effort } = candidate;
  const { sourceId, documentId } = document;
  const place = { sourceId, documentId, start: section?.start ?? 0 };
  return { kind: 'section', goal: proposeGoal(candidate), why: whyUncited(candidate), effort, place };
}

function whyUncited({ document, section, distance }: Candidate): string {
  const passages = passagesInWords((distance === 1 ? document : (section ?? document)).passages);
  switch (distance) {
    case 0:
      return t('Answers cite neighboring sections, but not this one ({0}).', passages);
    case 1:
      return t('No answer cites this document ({0}).', passages);
    default:
      return t('Answers cite other parts of the document, but not this section ({0}).', passages);
  }
}

/** Estimates the effort from 0 to 1 for a distance and a length in UTF-16 code units. */
function estimateEffort(distance: number, length: number): number {
  return EFFORT.distance * distance + (EFFORT.length * length) / (length + USUAL_LENGTH);
}

/**
 * Returns a function that reports whether a section is next to a cited one: the same section, its parent, or its child.
 */
function besideCited(sections: readonly SectionCount[]): (headings: readonly string[]) => boolean {
  const key = (headings: readonly string[]): string => JSON.stringify(headings);
  const cited = sections.filter((section) => section.cited > 0).map(({ headings }) => headings);
  const paths = new Set(cited.map(key));
  const above = new Set(
    cited.flatMap((headings) => (headings.length === 0 ? [] : [key(headings.slice(0, -1))])),
  );
  return (headings) => {
    const own = key(headings.slice(0, -1));
    return above.has(own) || paths.has(own) || above.has(key(headings));
  };
}
