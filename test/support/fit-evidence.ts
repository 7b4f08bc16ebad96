// Fits what picks evidence and judges sentences, and says how well it does on pages it has not seen:
//   node test/support/fit-evidence.ts [FOLDER] [--write]
// FOLDER holds claims/claims.jsonl and evidence/claims.jsonl; the altered sentences are those of test/fixtures/evidence.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareClaim, type Claim } from '../../src/answering/checking/claim.ts';
import { oppositionIn } from '../../src/answering/checking/contradictions.ts';
import {
  prepareEvidence,
  type Evidence,
  type EvidencePassage,
} from '../../src/answering/checking/evidence.ts';
import { EVIDENCE_WEIGHTS } from '../../src/answering/checking/evidence-weights.ts';
import { measureFound, type Found } from '../../src/answering/checking/found-parts.ts';
import { likelihood } from '../../src/answering/checking/logistic.ts';
import { matchClaim, type Match } from '../../src/answering/checking/matching.ts';
import {
  rankCandidates,
  chooseCandidates,
  type Candidate,
  type ChosenCandidate,
} from '../../src/answering/checking/relevance.ts';
import type { Span } from '../../src/language/span.ts';
import { alteredDocuments, readPairs } from '../bench/altered-sentences.ts';
import {
  scoreAbstracts,
  scorePages,
  sentencesIn,
  joinSentences,
  type Case,
  type Picked,
} from '../bench/claims.ts';
import { readJsonLines } from '../bench/json-lines.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, docComment, type Tried } from './choose-weights.ts';
import { fitLogistic, type Model } from './fit-logistic.ts';

/** A claim with what is known of it. */
interface LabelledClaim {
  readonly set: 'abstracts' | 'altered' | 'pages';
  /** Claims against one page are in one fold, so that what is peculiar to it does not help. */
  readonly page: string;
  readonly claim: Claim;
  readonly evidence: Evidence;
  readonly sources: readonly EvidencePassage[];
  readonly case?: Case;
  /** Where the case's sentences stand. */
  readonly spans: readonly Span[];
  /** Of an altered sentence what was altered. */
  readonly altered?: string;
  readonly isSupported: boolean;
  readonly isFound: boolean;
}

/** The same with what may bear it out. */
interface Labelled extends LabelledClaim {
  readonly match: Match;
  readonly candidates: readonly Candidate[];
  /** Which of the case's sentences each candidate is. */
  readonly sentences: ReadonlyMap<Candidate['units'], readonly number[]>;
}

/** What was chosen for a claim, and how likely it is found, borne out and contradicted by that. */
interface Judged {
  readonly chosen: readonly ChosenCandidate[];
  readonly found: Found;
  readonly opposition: Readonly<Record<string, number>> | undefined;
  likely: Record<Bound, number>;
}

type Bound = 'contradicted' | 'found' | 'supported';
type Bounds = Readonly<Record<Bound, number>>;
type Chosen = ReadonlyMap<Labelled, readonly ChosenCandidate[]>;
type Verdicts = Readonly<Record<Bound, Model<string>>>;

/** The bounds from which on a verdict is told, as they stand. */
const STANDING: Bounds = {
  contradicted: EVIDENCE_WEIGHTS.contradicted.least,
  found: EVIDENCE_WEIGHTS.found.least,
  supported: EVIDENCE_WEIGHTS.supported.least,
};

/** Which candidates are taken, and what is tried for that: see `chooseCandidates`. */
const { least, shareOfBest, most: mostChosen } = EVIDENCE_WEIGHTS.relevance;
const cuts = { least, shareOfBest, most: mostChosen };
const triedCuts: Tried<typeof cuts> = {
  least: [0.14, 0.18, 0.22, 0.26, 0.3],
  shareOfBest: [0.25, 0.3, 0.35, 0.4, 0.5],
  most: [2, 3, 4],
};
/** Less of the F1 of pages and abstracts together is chance. */
const leastGain = 0.004;

export const FOLDS = 5;
const ridge = { relevance: 10, found: 140, supported: 140, contradicted: 5 };
/** Pages have many more sentences each than abstracts have. */
const relevanceOfPages = 0.3;
/** Altered sentences are few, and so are the pages that say nothing of a claim. */
const weightOfAltered = 2;
const weightOfPageWithout = 3;
/** Most of what a bound may get wrong: what is true of pages and of abstracts. */
const most = { contradicted: { pages: 0.01, abstracts: 0.035 }, notFound: { pages: 0.05, abstracts: 0.065 } };

/** The claims of both public sets and the altered sentences; `folder` holds the sets. */
export function readClaims(folder: string): LabelledClaim[] {
  const files = ['claims', 'evidence'].map((name) => join(folder, name, 'claims.jsonl'));
  return [...files.flatMap((file) => readJsonLines<Case>(file).map(labelledCase)), ...alteredSentences()];
}

function labelledCase(each: Case): LabelledClaim {
  const { passages, spans } = joinSentences(each);
  const evidence = prepareEvidence(passages);
  return {
    set: each.wice === undefined ? 'abstracts' : 'pages',
    page: each.sentences.slice(0, 3).join(' '),
    claim: prepareClaim(each.claim, evidence),
    evidence,
    sources: evidence.passages,
    case: each,
    spans,
    isSupported: each.wice === undefined ? each.label === 'SUPPORT' : each.wice === 'supported',
    isFound: each.label !== 'NONE',
  };
}

function alteredSentences(): LabelledClaim[] {
  const evidence = prepareEvidence(alteredDocuments());
  const labelled = (sentence: string, page: string, altered?: string): LabelledClaim => ({
    set: 'altered',
    page,
    claim: prepareClaim(sentence, evidence),
    evidence,
    sources: evidence.passages.filter(({ passage }) => passage.documentTitle === page),
    spans: [],
    isSupported: altered === undefined,
    isFound: true,
    ...(altered !== undefined && { altered }),
  });
  return readPairs().flatMap(({ kind, document, sentence, altered }) => [
    labelled(sentence, document),
    ...(kind === 'source' ? [] : [labelled(altered, document, kind)]),
  ]);
}

/** Claims with what may bear them out, by the weights that stand now. */
export function matchClaims(claims: readonly LabelledClaim[]): Labelled[] {
  return claims.map((each) => {
    const match = matchClaim(each.claim, each.evidence);
    const candidates = rankCandidates(match, each.sources);
    const sentences = new Map(
      candidates.map(({ source: { passage }, units }) => {
        const [start, end] = [units[0]?.start ?? 0, units.at(-1)?.end ?? 0];
        const span = { start: passage.start + start, end: passage.start + end };
        return [units, sentencesIn(span, each.spans)];
      }),
    );
    return { ...each, match, candidates, sentences };
  });
}

function fitRelevance(all: readonly Labelled[]): typeof EVIDENCE_WEIGHTS.relevance {
  const examples = all.flatMap(({ set, case: own, candidates, sentences }) => {
    if (own === undefined || own.label === 'NONE') return [];
    const sets = own.sets ?? [own.evidence];
    // A sentence counts as evidence by the share of the sets that suffice which it is in.
    const shareOf = (sentence: number): number =>
      sets.filter((each) => each.includes(sentence)).length / sets.length;
    return candidates.map(({ units, features }) => ({
      features,
      target: Math.max(0, ...(sentences.get(units) ?? []).map(shareOf)),
      weight: set === 'pages' ? relevanceOfPages : 1,
    }));
  });
  return { ...cuts, ...fitLogistic(examples, ridge.relevance) };
}

/** Fits each verdict to what was chosen. */
function fitVerdicts(all: readonly Labelled[], judged: ReadonlyMap<Labelled, Judged>): Verdicts {
  const examplesOf = (
    isTrue: (each: Labelled) => boolean,
    featuresOf: (own: Judged, each: Labelled) => Readonly<Record<string, number>> | undefined,
    weightOf: (each: Labelled) => number,
  ) =>
    all.flatMap((each) => {
      const own = judged.get(each);
      const features = own && featuresOf(own, each);
      return features === undefined
        ? []
        : [{ features, target: isTrue(each) ? 1 : 0, weight: weightOf(each) }];
    });
  const isOpposite = (each: Labelled): boolean =>
    each.case?.label === 'CONTRADICT' || each.altered !== undefined;
  const found = examplesOf(
    ({ isFound }) => isFound,
    (own, { set }) => (set === 'altered' ? undefined : own.found.features),
    ({ set, isFound }) => (set === 'pages' && !isFound ? weightOfPageWithout : 1),
  );
  const supported = examplesOf(
    ({ isSupported }) => isSupported,
    (own) => own.found.features,
    ({ set }) => (set === 'altered' ? weightOfAltered : 1),
  );
  const contradicted = examplesOf(
    isOpposite,
    (own) => own.opposition,
    (each) => (each.set === 'altered' && !isOpposite(each) ? weightOfAltered : 1),
  );
  return {
    found: fitLogistic(found, ridge.found),
    supported: fitLogistic(supported, ridge.supported),
    contradicted: fitLogistic(contradicted, ridge.contradicted),
  };
}

function choose(
  all: readonly Labelled[],
  model: typeof EVIDENCE_WEIGHTS.relevance,
): [Labelled, readonly ChosenCandidate[]][] {
  return all.map((each) => [each, chooseCandidates(each.candidates, model)]);
}

/** What was found in what was chosen, and what opposes, each not yet judged. */
function measureChosen(chosenOf: Chosen): Map<Labelled, Judged> {
  return new Map(
    Array.from(chosenOf, ([each, chosen]) => {
      const nearest = chosen.toSorted((a, b) => b.coverage - a.coverage)[0];
      const found = measureFound(each.match, chosen, each.sources);
      const opposition = nearest && !found.isOfAnother ? oppositionIn(each.claim, nearest) : undefined;
      return [each, { chosen, found, opposition, likely: { contradicted: 0, found: 0, supported: 0 } }];
    }),
  );
}

function judge(judged: Iterable<Judged>, models: Verdicts): void {
  for (const own of judged) {
    const features: Readonly<Record<string, number>> = own.found.features;
    own.likely = {
      found: likelihood(models.found, features),
      supported: likelihood(models.supported, features),
      contradicted: own.opposition === undefined ? 0 : likelihood(models.contradicted, own.opposition),
    };
  }
}

/** Claims in folds by page: those of a fold, and all others. */
function inFolds(all: readonly Labelled[]): { readonly seen: Labelled[]; readonly unseen: Labelled[] }[] {
  const pages = [...new Set(all.map(({ page }) => page))];
  const foldOf = ({ page }: Labelled): number => pages.indexOf(page) % FOLDS;
  return Array.from({ length: FOLDS }, (_, fold) => ({
    seen: all.filter((each) => foldOf(each) !== fold),
    unseen: all.filter((each) => foldOf(each) === fold),
  }));
}

/** Chooses for claims by what was fitted without their pages. */
export function chooseUnseen(all: readonly Labelled[]): Chosen {
  return new Map(inFolds(all).flatMap(({ seen, unseen }) => choose(unseen, fitRelevance(seen))));
}

/** Judges claims, by what was fitted without their pages, on what was chosen for them in that way. */
export function judgeUnseen(all: readonly Labelled[], chosen: Chosen): Map<Labelled, Judged> {
  const judged = measureChosen(chosen);
  for (const { seen, unseen } of inFolds(all))
    judge(
      unseen.flatMap((each) => judged.get(each) ?? []),
      fitVerdicts(seen, judged),
    );
  return judged;
}

function crossValidated(all: readonly Labelled[]): Map<Labelled, Judged> {
  return judgeUnseen(all, chooseUnseen(all));
}

function judgedVerdict({ chosen, found, likely }: Judged, bounds: Bounds): string {
  if (chosen.length === 0) return 'not-found';
  if (likely.contradicted >= bounds.contradicted) return 'contradicted';
  if (likely.found < bounds.found) return 'not-found';
  return likely.supported >= bounds.supported && found.flaw === undefined ? 'supported' : 'partly';
}

/** What is said of a claim, and which of its case's sentences were picked for it. */
export interface JudgedClaim extends Picked {
  readonly each: Pick<Labelled, 'altered' | 'case' | 'isSupported' | 'page' | 'set'>;
}

/** What is said of claims by the bounds that stand, or by others. */
export function tellVerdicts(
  all: readonly Labelled[],
  judged: ReadonlyMap<Labelled, Judged>,
  bounds: Bounds = STANDING,
): JudgedClaim[] {
  return all.flatMap((each) => {
    const own = judged.get(each);
    if (own === undefined) return [];
    const verdict = judgedVerdict(own, bounds);
    const chosen = verdict === 'not-found' ? [] : own.chosen;
    const picked = [...new Set(chosen.flatMap(({ units }) => each.sentences.get(units) ?? []))];
    return [{ each, verdict, picked }];
  });
}

/** How well claims were judged: the figures of each set by their names. */
export function scoreVerdicts(results: readonly JudgedClaim[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [set, score] of [
    ['pages', scorePages],
    ['abstracts', scoreAbstracts],
  ] as const) {
    const own = results.filter(({ each }) => each.set === set);
    const cases = own.flatMap(({ each }) => each.case ?? []);
    for (const [name, figure] of Object.entries(score(cases, own))) figures[`${set}, ${name}`] = figure;
  }
  for (const kind of [undefined, 'number', 'name', 'negation', 'subject']) {
    const own = results.filter(({ each }) => each.set === 'altered' && each.altered === kind);
    const called = (verdict: string): number =>
      own.filter((result) => result.verdict === verdict).length / own.length;
    figures[`altered, ${kind ?? 'none'}: supported`] = called('supported');
    figures[`altered, ${kind ?? 'none'}: contradicted`] = called('contradicted');
  }
  return figures;
}

function measureFigures(
  all: readonly Labelled[],
  judged: ReadonlyMap<Labelled, Judged>,
  bounds: Bounds,
): Record<string, number> {
  return scoreVerdicts(tellVerdicts(all, judged, bounds));
}

/**
 * The bounds from which on a verdict is told: of contradictions the lowest that calls few true claims so, of what was
 * not found the highest that misses few, and of what is supported that with the best F1 on pages.
 */
function chooseBounds(all: readonly Labelled[], judged: ReadonlyMap<Labelled, Judged>): Bounds {
  const steps = Array.from({ length: 81 }, (_, i) => Number((0.1 + 0.005 * i).toFixed(3)));
  let bounds: Bounds = { contradicted: 0.5, found: 0.5, supported: 0.5 };
  const figure = (bound: Bound, step: number, name: string): number =>
    measureFigures(all, judged, { ...bounds, [bound]: step })[name] ?? 0;
  const contradicted =
    steps.find(
      (step) =>
        figure('contradicted', step, 'pages, contradicted though not') <= most.contradicted.pages &&
        figure('contradicted', step, 'abstracts, supported: called contradicted') <=
          most.contradicted.abstracts,
    ) ?? bounds.contradicted;
  bounds = { ...bounds, contradicted };
  const found =
    steps.findLast(
      (step) =>
        figure('found', step, 'pages, supported: not found') <= most.notFound.pages &&
        figure('found', step, 'abstracts, supported: not found') <= most.notFound.abstracts,
    ) ?? bounds.found;
  bounds = { ...bounds, found };
  const f1s = steps.map((step) => figure('supported', step, 'pages, F1 of supported'));
  return { ...bounds, supported: steps[f1s.indexOf(Math.max(...f1s))] ?? bounds.supported };
}

if (import.meta.main) {
  const folder = benchmarksFor(process.argv, ['claims', 'evidence']);
  const all = matchClaims(readClaims(folder));
  const measurePicks = (): number => {
    const figures = measureFigures(all, crossValidated(all), STANDING);
    return (figures['pages, evidence F1'] ?? 0) + (figures['abstracts, F1'] ?? 0);
  };
  console.log('taken', await chooseWeights(cuts, triedCuts, measurePicks, leastGain));
  const unseen = crossValidated(all);
  const bounds = chooseBounds(all, unseen);
  const relevance = fitRelevance(all);
  // Verdicts are fitted to what was chosen by weights that have not seen the page: others choose too well.
  const verdicts = fitVerdicts(all, unseen);
  const seen = measureChosen(new Map(choose(all, relevance)));
  judge(seen.values(), verdicts);
  console.log('bounds', bounds);
  const [notSeen, fitted] = [unseen, seen].map((judged) => measureFigures(all, judged, bounds));
  for (const [name, figure] of Object.entries(notSeen ?? {}))
    console.log(
      `${name.padEnd(42)} not seen ${figure.toFixed(3)}  fitted ${(fitted?.[name] ?? 0).toFixed(3)}`,
    );
  if (process.argv.includes('--write')) {
    const withBound = (name: Bound): object => {
      const { bias, weights } = verdicts[name];
      return { bias, least: bounds[name], weights };
    };
    const made = {
      relevance,
      found: withBound('found'),
      supported: withBound('supported'),
      contradicted: withBound('contradicted'),
    };
    const words = JSON.stringify(
      made,
      (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
      2,
    );
    const figure = (name: string): string => (notSeen?.[name] ?? 0).toFixed(2);
    const head = docComment(
      `Made by test/support/fit-evidence.ts from 150 sentences of Wikipedia with the pages they cite (WiCE), 814 claims with abstracts (SciFact) and altered sentences of ours. On pages not seen the sentences that bear claims out are found with an F1 of ${figure('pages, evidence F1')}, those of abstracts with one of ${figure('abstracts, F1')}; \`supported\` is told of pages with an F1 of ${figure('pages, F1 of supported')}; \`contradicted\` of ${figure('pages, contradicted though not')} of what pages do not contradict, and of ${figure('abstracts, contradicted: so called')} of what abstracts do; \`not found\` of ${figure('pages, not supported: not found')} of what pages do not support, and of ${figure('pages, supported: not found')} of what they do. How many candidates are taken (\`relevance.least\`, \`shareOfBest\`, \`most\`) was chosen on all of them.`,
    );
    const file = join(import.meta.dirname, '../../src/answering/checking/evidence-weights.ts');
    const code = words.replaceAll(/"(\w+)":/g, '$1:').replaceAll(/(?<=[\d}])(?=\n +})|(?<=})(?=\n})/g, ',');
    writeFileSync(file, `${head}export const EVIDENCE_WEIGHTS = ${code};\n`);
  }
}
