import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../src/answering/checker.ts';
import { checkSentence } from '../../src/answering/checker.ts';
import { prepareEvidence } from '../../src/answering/evidence.ts';
import { termsOf } from '../../src/answering/terms.ts';
import type { FoundPassage } from '../../src/notebook/passage.ts';
import { overlap } from '../../src/notebook/span.ts';
import type { Span } from '../../src/notebook/span.ts';
import { measureAlteredSentences } from './altered-sentences.ts';
import { printTable } from './table.ts';

interface Case {
  readonly claim: string;
  readonly label: 'CONTRADICT' | 'NONE' | 'SUPPORT';
  readonly title: string;
  readonly sentences: readonly string[];
  readonly evidence: readonly number[];
}

/** Which sentences of a case are picked, and what is said of its claim. */
interface Picked {
  readonly picked: readonly number[];
  readonly verdict: string;
}

/**
 * How well the checker finds the sentences of an abstract that bear a claim out or contradict it, and says when there
 * are none; then how many altered sentences it finds out.
 */
export function measureEvidence(data: string, out: string | undefined): void {
  const file = join(data, 'claims.jsonl');
  if (existsSync(file)) measureClaims(file, out);
  else {
    console.error(
      `The claims are missing: ${file}. Name their folder with --data or OPEN_NOTEBOOK_BENCHMARKS.`,
    );
    process.exitCode = 1;
  }
  measureAlteredSentences();
}

function measureClaims(file: string, out: string | undefined): void {
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
  const ours = cases.map(check);
  if (out !== undefined) {
    const lines = cases.map(({ claim }, i) => JSON.stringify({ claim, ...ours[i] }));
    writeFileSync(out, `${lines.join('\n')}\n`);
  }
  const rank = rankByWords(cases);
  const rows = [
    scored('checker', cases, ours),
    ...[1, 2, 3].map((most) =>
      scored(
        `BM25, best ${String(most)}`,
        cases,
        cases.map((each) => ({ picked: rank(each).slice(0, most), verdict: 'supported' })),
      ),
    ),
  ];
  console.log(`${String(cases.length)} claims, each against the sentences of an abstract`);
  printTable(
    [
      'sentences picked by',
      'precision',
      'recall',
      'F1',
      'no evidence: not found',
      'supported: not found',
      'contradicted: so called',
      'supported: called contradicted',
    ],
    rows,
  );
}

function check({ claim, title, sentences }: Case): Picked {
  const spans: Span[] = [];
  let text = '';
  for (const sentence of sentences) {
    spans.push({ start: text.length, end: text.length + sentence.trim().length });
    text += `${sentence.trim()} `;
  }
  const passage: FoundPassage = {
    passageId: 1,
    documentId: 1,
    sourceId: title,
    score: 1,
    start: 0,
    end: text.length,
    text,
    format: 'prose',
    languageId: undefined,
    sourceTitle: title,
    documentTitle: title,
    documentKey: '',
    headings: [],
  };
  const { verdict, supports }: Check = checkSentence(claim, [0], prepareEvidence([passage]));
  const picked = spans.flatMap((span, index) => {
    const shared = supports.some((support) => overlap(support.span, span) > (span.end - span.start) / 2);
    return shared ? [index] : [];
  });
  return { picked, verdict };
}

/** BM25 over the sentences of all cases. */
function rankByWords(cases: readonly Case[]): (each: Case) => number[] {
  const documents = new Map(cases.map(({ title, sentences }) => [title, sentences]));
  const frequency = new Map<string, number>();
  let count = 0;
  let length = 0;
  for (const sentences of documents.values()) {
    for (const sentence of sentences) {
      const terms = termsOf(sentence);
      count++;
      length += terms.length;
      for (const term of new Set(terms)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    }
  }
  const weigh = (term: string): number => {
    const holding = frequency.get(term) ?? 0;
    return Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
  };
  return ({ claim, sentences }) => {
    const asked = new Set(termsOf(claim));
    const scores = sentences.map((sentence) => {
      const terms = termsOf(sentence);
      let score = 0;
      for (const term of asked) {
        const times = terms.filter((each) => each === term).length;
        score +=
          (weigh(term) * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * terms.length * count) / length));
      }
      return score;
    });
    return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  };
}

function scored(name: string, cases: readonly Case[], results: readonly Picked[]): string[] {
  let hits = 0;
  let picks = 0;
  let wanted = 0;
  const share = (label: Case['label'], verdict: string): string => {
    const own = results.filter((_, i) => cases[i]?.label === label);
    const said = own.filter((result) => result.verdict === verdict).length;
    return `${((100 * said) / own.length).toFixed(0)} %`;
  };
  for (const [i, { label, evidence }] of cases.entries()) {
    if (label === 'NONE') continue;
    const picked = results[i]?.picked ?? [];
    hits += picked.filter((index) => evidence.includes(index)).length;
    picks += picked.length;
    wanted += evidence.length;
  }
  return [
    name,
    (hits / picks).toFixed(3),
    (hits / wanted).toFixed(3),
    ((2 * hits) / (picks + wanted)).toFixed(3),
    share('NONE', 'not-found'),
    share('SUPPORT', 'not-found'),
    share('CONTRADICT', 'contradicted'),
    share('SUPPORT', 'contradicted'),
  ];
}
