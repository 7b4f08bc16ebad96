import {
  askVerdicts,
  parseVerdicts,
  type StatementToCheck,
} from '../../src/answers/checking/model-verdicts.ts';
import { prepareStatements, type PreparedStatement } from '../../src/answers/checking/check-with-model.ts';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { nearestSupports } from '../../src/answers/checking/nearest.ts';
import { checkByRules, type Check } from '../../src/answers/checking/rules.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import type { Citation, Statement } from '../../src/core/domain/answer.ts';
import { makeNotebook, makePassage } from '../unit/answering-fixtures.ts';
import { readAdversarialTexts } from './adversarial-cases.ts';
import { alteredDocuments, readPairs } from './altered-sentences.ts';
import { joinSentences, sentencesIn, type Case } from './claims.ts';
import { readGeneratedSets } from './made-sentences.ts';
import { printTable, quantile } from './table.ts';
import { turnedCases } from './turned-cases.ts';
import { congruentialRandom } from '../support/durability-random.ts';

/** Statement with its cited text, and its true verdict. */
interface FactCase {
  readonly set: string;
  readonly statement: string;
  readonly passages: readonly FoundPassage[];
  readonly cited: readonly number[];
  readonly truth: 'contradicted' | 'not-found' | 'supported';
}

/** Shares of the scripted model's replies with a wrong verdict, and with an invalid form. */
const ERROR_RATIO = 0.1;
const BROKEN_RATIO = 0.1;

/**
 * Measures how rules alone judge statements, and how a model does: `scripted` knows the truth, with 10 % errors and
 * 10 % invalid replies. With `count`, draws the same number of statements from each set.
 */
export async function measureFactCheck(
  claims: readonly Case[],
  model?: LanguageModel,
  count?: number,
): Promise<void> {
  const all = [
    ...[...claimCases(claims), ...alteredCases(), ...generateCases(), ...turnedFactCases()],
    ...[...adversarialCases(), ...tableCases(), ...reportedCases()],
  ];
  const cases = count === undefined ? all : drawCases(all, count);
  const sets = [...new Set(cases.map(({ set }) => set))];
  const checks = cases.map(({ statement, passages, cited }) =>
    checkByRules(statement, cited, prepareEvidence(passages)),
  );
  console.log('By rules alone: shown as supported, contradicted, or with words that no passage has.');
  const counted = (set: string, truth: 'false' | 'true', isSo: (check: Check) => boolean): string => {
    const own = checks.filter(
      (_, i) => cases[i]?.set === set && (cases[i].truth === 'supported') === (truth === 'true'),
    );
    return own.length === 0 ? '' : `${String(own.filter(isSo).length)} of ${String(own.length)}`;
  };
  printTable(
    [
      'statements',
      'true: supported',
      'true: contradicted',
      'true: marked words',
      'false: supported',
      'false: contradicted',
      'false: marked words',
    ],
    sets.map((set) => [
      set,
      ...(['true', 'false'] as const).flatMap((truth) => [
        counted(set, truth, ({ verdict }) => verdict === 'supported'),
        counted(set, truth, ({ verdict }) => verdict === 'contradicted'),
        counted(set, truth, ({ missing = [] }) => missing.length > 0),
      ]),
    ]),
  );
  if (model === undefined) await measureRecall(claims);
  else await measureModel(cases, sets, model);
}

/** Draws cases at random, as many of each kind of set as possible: WiCE, SciFact, altered, made, turned, and others. */
function drawCases(cases: readonly FactCase[], count: number): FactCase[] {
  const random = congruentialRandom(32);
  const shuffled = cases
    .map((each) => ({ each, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ each }) => each);
  const kinds = [...Map.groupBy(shuffled, ({ set }) => set.split(':')[0]).values()];
  const rounds = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, i) => kinds.flatMap((kind) => kind[i] ?? []))
    .flat()
    .slice(0, count)
    .map((each) => ({ each, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ each }) => each);
}

async function measureModel(
  cases: readonly FactCase[],
  sets: readonly string[],
  model: LanguageModel,
): Promise<void> {
  const statements: StatementToCheck[] = [];
  for (const each of cases) statements.push(await prepare(each));
  const verdicts = new Map<number, string>();
  const { signal } = new AbortController();
  const simulated =
    model === SCRIPTED
      ? scriptedChecker(cases, statements)
      : { model, broken: new Set<number>(), read: () => 0 };
  await askVerdicts(simulated.model, statements, signal, (index, { verdict }) =>
    verdicts.set(index, verdict),
  );
  const rows = [...sets, 'all'].map((set) => {
    const own = [...cases.entries()].filter(([, each]) => set === 'all' || each.set === set);
    const share = (truth: boolean, isSo: (verdict: string | undefined) => boolean): number => {
      const among = own.filter(([, each]) => (each.truth === 'supported') === truth);
      return among.length === 0
        ? NaN
        : among.filter(([index]) => isSo(verdicts.get(index))).length / among.length;
    };
    const isSupported = (verdict: string | undefined): boolean => verdict === 'supported';
    const [right, wrong] = [share(true, isSupported), share(false, (verdict) => !isSupported(verdict))];
    const shown = (figure: number): string => (Number.isNaN(figure) ? '' : figure.toFixed(2));
    return [
      set,
      String(own.length),
      shown(right),
      shown(1 - wrong),
      shown(share(true, (verdict) => verdict === 'contradicted')),
      shown(own.filter(([index]) => !verdicts.has(index)).length / own.length),
      shown((right + wrong) / 2),
    ];
  });
  console.log(`By ${model.name}, each statement against the nearest passages.`);
  printTable(
    [
      'statements',
      'count',
      'true: supported',
      'false: supported',
      'true: contradicted',
      'not checked',
      'balanced accuracy',
    ],
    rows,
  );
  console.log(
    'Balanced accuracy over supported or not is the measure of LLM-AggreFact; as published there, on its own 11 sets: bespoke-minicheck-7B 0.774.',
  );
  if (model === SCRIPTED) {
    console.log(
      `Replies without form had ${String(simulated.broken.size)} statements; ${String(simulated.read())} of these were read as supported.`,
    );
  }
}

/** Returns a statement with its evidence as the product would ask about it in an answer that cites these passages. */
async function prepare({ statement, passages, cited }: FactCase): Promise<PreparedStatement> {
  const evidence = prepareEvidence(passages);
  const nearest = nearestSupports(statement, evidence).sort((a, b) => b.coverage - a.coverage);
  const citations = nearest
    .filter(({ passage }) => cited.some((index) => passages[index] === passage))
    .map(({ passage, span }, i): Citation => {
      const { sourceId, documentId, sourceTitle: title, start, end } = passage;
      return {
        ...{ number: i + 1, sourceId, sourceKind: 'text', documentId, title, place: '', uri: '' },
        ...{ mediaType: 'text/plain', passage: { start, end }, span, quote: '' },
        locator: { kind: 'saved', span },
      };
    });
  const own: Statement = {
    ...{ start: 0, end: statement.length, verdict: 'unchecked', citations: [...citations.keys()] },
  };
  const answer = { kind: 'written' as const, model: '', text: statement, statements: [own], citations };
  const { signal } = new AbortController();
  // Tables have their headers in the passages themselves.
  const finder = { ...makeNotebook([]), at: () => Promise.resolve([]) };
  const [prepared] = await prepareStatements(answer, { finder, signal, only: [0], read: passages });
  if (prepared === undefined) throw new Error(`There is no evidence for “${statement}”.`);
  return prepared;
}

/**
 * Prints how often the evidence that a model gets has all of the sentences that decide, and its size. A sentence is in
 * the evidence if more than half of it is.
 */
async function measureRecall(claims: readonly Case[]): Promise<void> {
  const rows: (readonly [set: string, isTrue: boolean, hasAll: boolean, share: number, tokens: number])[] =
    [];
  for (const [index, fact] of claimCases(claims).entries()) {
    const each = claims[index];
    if (each === undefined || each.label === 'NONE') continue;
    const { spans } = joinSentences(each);
    const { evidence } = await prepare(fact);
    const inRequest = new Set(
      evidence.flatMap(({ start, text }) => sentencesIn({ start, end: start + text.length }, spans)),
    );
    const shares = (each.sets ?? [each.evidence]).map(
      (set) => set.filter((sentence) => inRequest.has(sentence)).length / set.length,
    );
    const tokens = evidence.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    const share = Math.max(...shares);
    rows.push([fact.set, fact.truth === 'supported', share === 1, share, tokens]);
  }
  console.log(
    'Evidence that a model is given for a statement: how much it has of the sentences that decide.',
  );
  printTable(
    [
      'statements',
      'count',
      'all sentences',
      'all of true ones',
      'share of sentences',
      'tokens',
      'tokens, 95 %',
    ],
    [...Map.groupBy(rows, ([set]) => set)].map(([set, own]) => {
      const mean = (numbers: readonly number[]): string =>
        (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(3);
      const tokens = own.map((row) => row[4]);
      return [
        set,
        String(own.length),
        mean(own.map(([, , hasAll]) => Number(hasAll))),
        mean(own.flatMap(([, isTrue, hasAll]) => (isTrue ? [Number(hasAll)] : []))),
        mean(own.map((row) => row[3])),
        String(Math.round(Number(mean(tokens)))),
        String(quantile(tokens, 0.95)),
      ];
    }),
  );
}

/** Placeholder for the model that knows the truth. */
export const SCRIPTED: LanguageModel = {
  name: 'a scripted model that errs in 10 % and breaks the form in 10 %',
  stream: () => {
    throw new Error('It is made anew for the statements of a run.');
  },
};

const BREAKS: readonly ((reply: string) => string)[] = [
  (reply) => reply.slice(0, -5),
  (reply) => `Here are the verdicts:\n${reply}`,
  (reply) => reply.replaceAll('"words"', '"because"').replaceAll('not in the evidence', 'supported'),
  (reply) => reply.replaceAll(/"words":"[^"]*"/g, '"words":"as the evidence says"'),
  () => 'All statements are supported.',
  (reply) => reply.replaceAll(/"verdict":"[^"]*"/g, '"verdict":"supported or not"'),
];

/** Returns a model that finds its statements in a request by their text. */
function scriptedChecker(
  cases: readonly FactCase[],
  statements: readonly StatementToCheck[],
): { readonly model: LanguageModel; readonly broken: Set<number>; readonly read: () => number } {
  const random = congruentialRandom(7);
  let read = 0;
  const broken = new Set<number>();
  return {
    broken,
    read: () => read,
    model: {
      name: SCRIPTED.name,
      async *stream(messages) {
        await Promise.resolve();
        const request = messages.at(-1)?.content ?? '';
        const statementNumbers = [
          ...request.matchAll(/<statement-\d+ n="\d+"[^>]*>\n([\s\S]*?)\n<\/statement/g),
        ].map(([, words = '']) =>
          statements.findIndex(({ statement }) => statement.slice(0, 1_500) === words),
        );
        const items = statementNumbers.map((index, i) => {
          const truth = cases[index]?.truth ?? 'not-found';
          const isWrong = random() < ERROR_RATIO;
          const verdict = isWrong ? (truth === 'supported' ? 'not-found' : 'supported') : truth;
          const text = statements[index]?.evidence[0]?.text ?? '';
          const words = /[\p{L}\p{N}]+(?:\s+[\p{L}\p{N}]+){1,4}/u.exec(text)?.[0] ?? text;
          return {
            n: i + 1,
            verdict: verdict === 'not-found' ? 'not in the evidence' : verdict,
            words: verdict === 'not-found' ? '' : words,
          };
        });
        const reply = JSON.stringify(items);
        if (random() >= BROKEN_RATIO) {
          yield reply;
          return;
        }
        const broke = BREAKS[Math.floor(random() * BREAKS.length)]?.(reply) ?? '';
        const own = statementNumbers.flatMap((index) => statements[index] ?? []);
        for (const { verdict } of parseVerdicts(broke, own).values()) if (verdict === 'supported') read++;
        for (const index of statementNumbers) broken.add(index);
        yield broke;
      },
    },
  };
}

function claimCases(claims: readonly Case[]): FactCase[] {
  return claims.map((each): FactCase => {
    const { passages } = joinSentences(each);
    const isWice = each.wice !== undefined;
    const isTrue = isWice ? each.wice === 'supported' : each.label === 'SUPPORT';
    return {
      set: isWice ? 'WiCE' : 'SciFact',
      statement: each.claim,
      passages,
      cited: [...passages.keys()],
      truth: isTrue ? 'supported' : each.label === 'CONTRADICT' ? 'contradicted' : 'not-found',
    };
  });
}

function alteredCases(): FactCase[] {
  const passages = alteredDocuments();
  return readPairs().flatMap(({ kind, document, sentence, altered }): FactCase[] => {
    const cited = passages.flatMap(({ documentTitle }, i) => (documentTitle === document ? [i] : []));
    const own = { set: `altered: ${kind}`, passages, cited };
    return [
      { ...own, statement: sentence, truth: 'supported' },
      ...(kind === 'source'
        ? []
        : [
            {
              ...own,
              statement: altered,
              truth: kind === 'reason' ? ('not-found' as const) : ('contradicted' as const),
            },
          ]),
    ];
  });
}

function generateCases(): FactCase[] {
  return readGeneratedSets().flatMap(({ language, text, sentences }) => {
    const passages = [makePassage({ id: 1, title: 'harbour', text })];
    return sentences.map(({ kind, sentence }): FactCase => ({
      set: `made: ${language}`,
      statement: sentence,
      passages,
      cited: [0],
      truth: kind === 'true' ? 'supported' : kind === 'lacks' ? 'not-found' : 'contradicted',
    }));
  });
}

function turnedFactCases(): FactCase[] {
  return turnedCases().map(({ language, text, statement, truth }) => ({
    ...{ set: `turned: ${language}`, statement, truth, cited: [0] },
    passages: [makePassage({ id: 1, title: 'club.txt', text })],
  }));
}

function adversarialCases(): FactCase[] {
  return readAdversarialTexts().flatMap(({ language, text, format, statements }) => {
    const passages = [makePassage({ id: 1, title: 'source.md', text, format })];
    return statements.map(({ kind, statement }): FactCase => ({
      set: `adversarial: ${language}`,
      statement,
      passages,
      cited: [0],
      truth: kind === 'true' ? 'supported' : kind === 'reason' ? 'not-found' : 'contradicted',
    }));
  });
}

const CITIES = ['Aldbridge', 'Brenmouth', 'Carrow', 'Dunmore', 'Eastwick', 'Farholm', 'Glenby', 'Harwood'];
const COLUMNS = ['Visitors', 'Boats', 'Budget', 'Storms', 'Members'];

/** Returns 200 statements over 25 tables: cells unchanged, changed, from another row, and comparisons of two rows. */
function tableCases(): FactCase[] {
  const random = congruentialRandom(1);
  const pick = (below: number): number => Math.floor(random() * below);
  return Array.from({ length: 25 }, (_, id) => {
    const year = 2000 + pick(25);
    const columns = COLUMNS.filter((_name, i) => i !== id % COLUMNS.length);
    const rows = CITIES.slice(0, 4 + pick(5)).map((city) => ({
      city,
      cells: columns.map(() => 1_000 + pick(9_000)),
    }));
    const text = [
      `Figures of the harbours in ${String(year)}.`,
      '',
      `| City | ${columns.join(' | ')} |`,
      `| --- | ${columns.map(() => '---').join(' | ')} |`,
      ...rows.map(
        ({ city, cells }) => `| ${city} | ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`,
      ),
    ].join('\n');
    const passages = [
      makePassage({ id: id + 1, title: `harbours-${String(id)}.md`, text, format: 'markdown' }),
    ];
    const column = pick(columns.length);
    const name = columns[column]?.toLowerCase() ?? '';
    const [a, b] = [rows[0], rows[1 + pick(rows.length - 1)]];
    if (a === undefined || b === undefined) return [];
    const [one = 0, other = 0] = [a.cells[column], b.cells[column]];
    const cell = (city: string, number: number): string =>
      `The ${name} of ${city} were ${number.toLocaleString('en')}.`;
    const compared = (first: string, second: string): string =>
      `${first} had more ${name} than ${second} in ${String(year)}.`;
    const [more, less] = one >= other ? [a.city, b.city] : [b.city, a.city];
    const make = (set: string, statement: string, truth: FactCase['truth']): FactCase => ({
      set: `tables: ${set}`,
      statement,
      passages,
      cited: [0],
      truth,
    });
    return [
      make('cell', cell(a.city, one), 'supported'),
      make('cell', cell(b.city, other), 'supported'),
      make('another number', cell(a.city, one + 11), 'contradicted'),
      make('another number', cell(b.city, other - 111), 'contradicted'),
      make('another row', cell(a.city, other === one ? other + 1 : other), 'contradicted'),
      make(
        'rounded',
        `The ${name} of ${a.city} were about ${(Math.round(one / 100) * 100).toLocaleString('en')}.`,
        'supported',
      ),
      make('compared', compared(more, less), 'supported'),
      make('compared, turned', compared(less, more), 'contradicted'),
    ];
  }).flat();
}

/** A statement that was once shown wrongly, and the text that it cites. */
interface KnownCase extends Pick<FactCase, 'statement' | 'truth'> {
  readonly text: string;
}

/** Returns statements that were once shown wrongly, with their sources. */
export function knownCases(): readonly KnownCase[] {
  const minutes = 'Ana is away from 20 March. Chidi prepares the release, which is due in May.';
  const lamp =
    'The lamp is bright and cheap. It is too bulky to really travel with, though the case has a handle.';
  const spending = [
    '| Year | Spending (millions) |',
    '| --- | --- |',
    '| 2022 | 2,987 |',
    '| 2021 | 2,540 |',
    '| 2020 | 2,188 |',
  ].join('\n');
  const policy =
    'Configuration files are handled with care. Conffiles must not be modified by the maintainer scripts of the package.';
  const shade = 'The lamp is cheap because its shade is made of paper. It gives a warm light.';
  const schirm = 'Die Lampe ist billig, weil ihr Schirm aus Papier besteht. Ihr Licht ist warm.';
  const abatJour = 'La lampe est bon marché parce que son abat-jour est en papier. Sa lumière est chaude.';
  const gifts = 'The museum received 10,000 euros from the city and 1,000 euros from its members.';
  const table: readonly (readonly [text: string, statement: string, truth: FactCase['truth']])[] = [
    [minutes, 'Chidi will be on holiday in May.', 'not-found'],
    [lamp, 'The lamp is easy to pack and ideal for travelling.', 'contradicted'],
    [spending, 'Spending fell in 2022 compared with 2021.', 'contradicted'],
    [lamp, 'The lamp is cheap because it is sold online.', 'not-found'],
    [spending, 'Spending in 2022 was 2,987 millions.', 'supported'],
    [spending, 'Spending in 2021 was 2,540 millions.', 'supported'],
    [spending, 'Spending in 2020 was 2,188 millions.', 'supported'],
    [policy, 'Maintainer scripts may not change a conffile.', 'supported'],
    [gifts, 'The museum received about eleven thousand euros.', 'supported'],
    [minutes, 'Ana is away from 20 March, and Chidi prepares the release.', 'supported'],
    [spending, 'Spending in 2022 was 2,540 millions.', 'contradicted'],
    [lamp, 'The lamp is too bulky to really travel with and easy to pack.', 'contradicted'],
    // A true reason with an invented one.
    [
      shade,
      'The lamp is cheap because its shade is made of paper and because it is sold online.',
      'not-found',
    ],
    [shade, 'The lamp is cheap because its shade is made of paper as well as recycled glass.', 'not-found'],
    [shade, 'The lamp, which is sold online, is cheap because its shade is made of paper.', 'not-found'],
    [
      schirm,
      'Die Lampe ist billig, weil ihr Schirm aus Papier besteht und weil sie online verkauft wird.',
      'not-found',
    ],
    [
      abatJour,
      'La lampe est bon marché parce que son abat-jour est en papier et parce qu’elle est vendue en ligne.',
      'not-found',
    ],
  ];
  return table.map(([text, statement, truth]) => ({ text, statement, truth }));
}

function reportedCases(): FactCase[] {
  return knownCases().map(({ text, statement, truth }, i) => ({
    set: 'reported by users',
    statement,
    passages: [
      makePassage({
        id: i + 1,
        title: 'source.md',
        text,
        format: text.startsWith('|') ? 'markdown' : 'prose',
      }),
    ],
    cited: [0],
    truth,
  }));
}
