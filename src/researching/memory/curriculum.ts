import { t } from '@vscode/l10n';
import { passagesInWords } from '../../notebook/counts.ts';
import type {
  CoverageCounts,
  DocumentCount,
  NextLook,
  PastQuestion,
  SectionCount,
} from '../../notebook/research-coverage.ts';
import type { ResearchEntry } from '../../notebook/research.ts';
import { canBeAskedAbout, questionAbout } from '../../notebook/suggestions.ts';
import { documentTitle } from './coverage.ts';
import { likenessAmong, termSet } from './likeness.ts';

/** What failed so often is not proposed again. */
const MOST_FAILURES = 3;
/** Of one document so many sections are proposed, and of what is no section so much at least where there is any. */
const MOST_OF_DOCUMENT = 2;
const SHARE_OF_OTHERS = 0.5;
/** Shorter sections tell nothing, in UTF-16 code units; of this length one takes half the effort that length can take. */
const LEAST_LENGTH = 80;
const USUAL_LENGTH = 4_000;
/** Questions and goals by which it is told what the user wants. */
const MOST_ASKED = 100;

export interface Curriculum {
  readonly counts: CoverageCounts;
  /** The last asked first. */
  readonly questions: readonly PastQuestion[];
  readonly researches: readonly ResearchEntry[];
}

/** A proposal with what it is ranked by, the lowest first. */
interface Ranked {
  readonly look: NextLook;
  readonly rank: number;
}

/**
 * What to look at next: sections that no answer ever rested on, questions that failed and goals that were not reached.
 * What takes least comes first: what stands beside the known before what is far from it, short before long, what was
 * tried once before what failed often; and among these what is like the user's own questions and goals.
 */
export function nextToLookAt({ counts, questions, researches }: Curriculum, most = 8): readonly NextLook[] {
  const others = [...failedQuestions(questions), ...openGoals(researches)].toSorted(
    (a, b) => a.rank - b.rank,
  );
  const sections = uncitedSections(counts, questions, researches).toSorted((a, b) => a.rank - b.rank);
  const places = Math.max(most - others.length, Math.ceil(SHARE_OF_OTHERS * most));
  const shown = varied(sections).slice(0, places);
  return [...shown, ...others.slice(0, most - shown.length)]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ look }) => look);
}

/** The best of each document, not all of one. */
function varied(ranked: readonly Ranked[]): Ranked[] {
  const count = new Map<number, number>();
  return ranked.filter(({ look }) => {
    const id = look.place?.documentId ?? -1;
    count.set(id, (count.get(id) ?? 0) + 1);
    return (count.get(id) ?? 0) <= MOST_OF_DOCUMENT;
  });
}

/** A question as it is compared with others. */
function keyOf(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function failedQuestions(questions: readonly PastQuestion[]): Ranked[] {
  const byKey = Map.groupBy(questions, ({ question }) => keyOf(question));
  return [...byKey.values()].flatMap((asked): Ranked[] => {
    const last = asked.reduce((a, b) => (b.askedAt > a.askedAt ? b : a));
    const failures = asked.filter(({ outcome }) => outcome !== 'answered').length;
    if (last.outcome === 'answered' || failures > MOST_FAILURES) return [];
    const [why, first] = whyFailed(last.outcome);
    const effort = Math.min(1, first + 0.2 * (failures - 1));
    return [{ look: { kind: 'question', goal: last.question, why, effort }, rank: effort }];
  });
}

/** Why a question is proposed again, and how much it takes: what only broke off may just work. */
function whyFailed(outcome: 'bad' | 'failed' | 'nothing'): readonly [why: string, effort: number] {
  switch (outcome) {
    case 'failed':
      return [t('No answer came when this was asked.'), 0.1];
    case 'bad':
      return [t('You rated the answer to this as bad.'), 0.4];
    case 'nothing':
      return [t('The notebook did not answer this when it was asked.'), 0.6];
  }
}

function openGoals(researches: readonly ResearchEntry[]): Ranked[] {
  const byKey = Map.groupBy(researches, ({ goal }) => keyOf(goal));
  return [...byKey.values()].flatMap((same): Ranked[] => {
    const last = same.reduce((a, b) => (b.changedAt > a.changedAt ? b : a));
    const failures = same.filter(({ state }) => state === 'failed').length;
    const { state, goal, id, done, steps, reason } = last;
    if ((state !== 'failed' && state !== 'paused') || failures > MOST_FAILURES) return [];
    const why =
      state === 'paused'
        ? t('This research is paused: {0} of {1} steps are done.', done, steps)
        : t('This research failed. {0}', reason ?? '').trim();
    const left = steps === 0 ? 1 : (steps - done) / steps;
    const effort = Math.min(1, 0.5 + 0.3 * left + 0.1 * failures);
    return [{ look: { kind: 'goal', goal, why, effort, researchId: id }, rank: effort }];
  });
}

function uncitedSections(
  { documents, sections }: CoverageCounts,
  questions: readonly PastQuestion[],
  researches: readonly ResearchEntry[],
): Ranked[] {
  const byDocument = Map.groupBy(sections, ({ documentId }) => documentId);
  const asked = new Set(questions.map(({ question }) => keyOf(question)));
  const wanted = [
    ...questions.slice(0, MOST_ASKED).map(({ question }) => question),
    ...researches.slice(0, MOST_ASKED).map(({ goal }) => goal),
  ].map(termSet);
  const found = documents.flatMap((document) =>
    candidates(document, byDocument.get(document.documentId) ?? []).filter(
      ({ look }) => !asked.has(keyOf(look.goal)),
    ),
  );
  const terms = found.map(({ words }) => termSet(words));
  const likeness = likenessAmong([...terms, ...wanted]);
  return found.map(({ look }, i): Ranked => {
    const own = terms[i] ?? new Set();
    const interest = Math.max(0, ...wanted.map((each) => likeness(own, each)));
    return { look, rank: look.effort - interest };
  });
}

/** A section that may be proposed, with the words by which it is compared with what the user wants. */
interface Candidate {
  readonly look: NextLook;
  readonly words: string;
}

/** The sections of a document that nothing rests on; a document without headings is one. */
function candidates(document: DocumentCount, sections: readonly SectionCount[]): Candidate[] {
  const { sourceId, documentId, passages, cited } = document;
  const title = documentTitle(document);
  const untouched = sections.filter((each) => each.cited === 0 && each.length >= LEAST_LENGTH);
  const proposed = untouched.flatMap((section): Candidate[] => {
    const { headings, start, length } = section;
    const heading = headings.at(-1) ?? '';
    if (!canBeAskedAbout(heading) || keyOf(heading) === keyOf(title)) return [];
    const isBeside = sections.some((other) => other.cited > 0 && areBeside(other.headings, headings));
    const why = isBeside
      ? t('Answers rest on what stands beside it, and none on this: {0}.', passagesInWords(section.passages))
      : cited > 0
        ? t(
            'Answers rest on other parts of its document, and none on this: {0}.',
            passagesInWords(section.passages),
          )
        : t('No answer ever rested on its document: {0}.', passagesInWords(passages));
    return [
      {
        look: {
          kind: 'section',
          goal: questionAbout(title, heading),
          why,
          effort: effortOf(isBeside ? 0 : cited > 0 ? 0.5 : 1, length),
          place: { sourceId, documentId, start },
        },
        words: [title, ...headings].join('\n'),
      },
    ];
  });
  if (proposed.length > 0 || cited > 0 || passages === 0 || title === '') return proposed;
  const length = sections.reduce((sum, section) => sum + section.length, 0);
  return [
    {
      look: {
        kind: 'section',
        goal: t('What does {0} say?', title),
        why: t('No answer ever rested on its document: {0}.', passagesInWords(passages)),
        effort: effortOf(1, length),
        place: { sourceId, documentId, start: 0 },
      },
      words: title,
    },
  ];
}

/** How much there is to do where what is known is so far away, from 0 to 1, and so much is to be read. */
function effortOf(distance: number, length: number): number {
  return 0.6 * distance + (0.4 * length) / (length + USUAL_LENGTH);
}

/** Whether two sections stand in the same one, or one in the other. */
function areBeside(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const above = shorter.length === longer.length ? shorter.slice(0, -1) : shorter;
  return longer.length - shorter.length <= 1 && above.every((heading, i) => heading === longer[i]);
}
