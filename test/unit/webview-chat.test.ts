import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  shownVerdict,
  statementsToCheck,
  type Answer,
  type Citation,
  type Quote,
  type Statement,
  type Turn,
} from '../../src/core/domain/answer.ts';
import { answerAsMarkdown, conversationAsMarkdown } from '../../src/core/domain/answer-markdown.ts';
import { placeCard } from '../../webview/cited/card-placement.ts';
import { applyUpdates, type ChatState, type Update } from '../../webview/chat/state.ts';
import { chips, findWords, verdictInWords } from '../../webview/cited/words.ts';
import {
  citationsToList,
  placeholder,
  groupPlaces,
  quotesByDocument,
  summary,
  usage,
} from '../../webview/chat/words.ts';
import { duration } from '../../webview/shared/words.ts';
import { assertLinear } from '../support/growth.ts';
import { testCitation } from '../support/test-citation.ts';
import { cutPieces } from '../../webview/cited/statement-pieces.ts';

function citation(number: number, more: Partial<Citation> = {}): Citation {
  return testCitation({
    ...{ number, sourceId: `source-${String(number)}`, documentId: number, title: `Title ${String(number)}` },
    ...{ place: 'L1–2', uri: '', mediaType: 'text/plain', quote: 'very words' },
    ...more,
  });
}

function written(text: string, statements: readonly Statement[], citations: readonly Citation[]): Answer {
  return { kind: 'written', model: 'm', text, statements, citations };
}

function turn(more: Partial<Turn> = {}): Turn {
  return { id: 't', question: 'Q?', askedAt: 0, state: { kind: 'answering' }, answer: undefined, ...more };
}

const empty: ChatState = {
  turns: [],
  earlier: 0,
  sources: { ready: 1, working: 0 },
  scope: { kind: 'notebook' },
  model: undefined,
  offersModel: false,
  semanticSearchOffer: undefined,
  factCheckOffer: undefined,
  factCheckFailure: undefined,
  citationChanges: [],
  statuses: new Map(),
};

function after(...updates: readonly Update[]): ChatState {
  return applyUpdates(empty, updates) ?? empty;
}

describe('updates of the conversation', () => {
  const streamed: Update[] = [
    { kind: 'turn', turn: turn() },
    { kind: 'event', turnId: 't', event: { kind: 'status', text: 'Reading…' } },
    { kind: 'event', turnId: 't', event: { kind: 'started', answer: written('', [], []) } },
    { kind: 'event', turnId: 't', event: { kind: 'text', delta: 'One.' } },
  ];

  it('show streamed text and the status of the answer', () => {
    const state = after(...streamed);
    assert.equal(state.turns[0]?.answer?.text, 'One.');
    assert.equal(state.statuses.get('t'), 'Reading…');
  });

  it('keep the streamed text if an answer ends without its own', () => {
    const state = after(...streamed, { kind: 'turn', turn: turn({ state: { kind: 'stopped' } }) });
    assert.equal(state.turns[0]?.answer?.text, 'One.');
    assert.equal(state.statuses.size, 0);
  });

  it('clear the answer when a question is asked again', () => {
    const state = after(...streamed, { kind: 'turn', turn: turn() });
    assert.equal(state.turns[0]?.answer, undefined);
  });

  it('replace the old state with a whole new one', () => {
    const state = after(...streamed, {
      kind: 'state',
      change: { value: { ...empty, sources: { ready: 0, working: 2 }, model: 'm' } },
    });
    assert.equal(state.turns.length, 0);
    assert.equal(state.model, 'm');
  });

  it('show a long answer that arrives at once in linear time', () => {
    const all = (count: number): Update[] =>
      Array.from({ length: count }, (_, index) => ({ start: 2 * index, end: 2 * index + 1 })).flatMap(
        (span, index): Update[] => {
          const statement = { ...span, verdict: 'supported', citations: [index] } as const;
          const newCitations = [citation(index)];
          return [
            { kind: 'event', turnId: 't', event: { kind: 'text', delta: 'A.' } },
            { kind: 'event', turnId: 't', event: { kind: 'statement', statement, newCitations } },
            { kind: 'event', turnId: 't', event: { kind: 'checked', index, statement, newCitations: [] } },
          ];
        },
      );
    assertLinear((count) => {
      const [answered] = applyUpdates(empty, [...streamed, ...all(count)])?.turns ?? [];
      assert.ok(answered?.answer?.kind === 'written');
      assert.equal(answered.answer.statements.length, count);
      assert.equal(answered.answer.citations.length, count);
    }, 500);
  });
});

describe('citation chips', () => {
  const citations = [citation(1), citation(2), citation(3), citation(5), citation(1)];

  it('are in order, each number once', () => {
    assert.deepEqual(chips([3, 0, 4], citations), [
      { label: '1', citations: [0, 4] },
      { label: '5', citations: [3] },
    ]);
  });

  it('are combined if three or more numbers are consecutive', () => {
    assert.deepEqual(
      chips([0, 1], citations).map(({ label }) => label),
      ['1', '2'],
    );
    assert.deepEqual(
      chips([3, 2, 1, 0], citations).map(({ label }) => label),
      ['1–3', '5'],
    );
  });

  it('leave out missing citations', () => {
    assert.deepEqual(chips([9], citations), []);
  });
});

describe('fact check with a model', () => {
  const statements: Statement[] = [
    { start: 0, end: 1, verdict: 'supported', citations: [0], signals: { isVerbatim: true } },
    { start: 1, end: 2, verdict: 'unchecked', citations: [] },
    { start: 2, end: 3, verdict: 'partly', citations: [0] },
    { start: 3, end: 4, verdict: 'none', citations: [] },
  ];
  const done = turn({
    state: { kind: 'done', milliseconds: 1000 },
    answer: written('abcd', statements, [citation(1)]),
  });
  const checked: Statement = { ...statements[1]!, verdict: 'supported', citations: [1], checkedBy: 'judge' };
  const updates: Update[] = [
    { kind: 'turn', turn: done },
    { kind: 'event', turnId: 't', event: { kind: 'status', text: 'Fact-checking…' } },
    {
      kind: 'event',
      turnId: 't',
      event: { kind: 'checked', index: 1, statement: checked, newCitations: [citation(2)] },
    },
  ];

  it('checks all statements but quotes', () => {
    assert.deepEqual(statementsToCheck(done.answer), [1, 2]);
    assert.deepEqual(statementsToCheck(after(...updates).turns[0]!.answer), [1, 2]);
    assert.deepEqual(statementsToCheck({ kind: 'nothing', text: '', citations: [] }), []);
  });

  it('is required for a verdict: rules leave statements unchecked', () => {
    assert.deepEqual(statements.map(shownVerdict), ['supported', 'unchecked', 'unchecked', 'none']);
    assert.equal(shownVerdict(checked), 'supported');
    assert.equal(shownVerdict({ ...statements[2]!, verdict: 'contradicted' }), 'unchecked');
  });

  it('describes its verdict in words, and shows a status while it runs', () => {
    const during = after(...updates);
    assert.equal(during.statuses.get('t'), 'Fact-checking…');
    assert.equal(
      summary(during.turns[0]!),
      '2 of 3 statements supported · 1 not fact-checked · fact-checked by judge · 2 sources · m · 1.0\u00a0s',
    );
    assert.equal(verdictInWords(checked), 'Supported, according to judge');
    assert.equal(verdictInWords(statements[2]!), 'Not fact-checked');
    const over = applyUpdates(during, [{ kind: 'turn', turn: during.turns[0]! }]);
    assert.equal(over?.statuses.size, 0);
  });
});

describe('a citation that a check withdrew', () => {
  it('is neither listed nor counted nor a footnote', () => {
    const statements: Statement[] = [
      { start: 0, end: 1, verdict: 'supported', citations: [0] },
      { start: 1, end: 2, verdict: 'partly', citations: [1] },
    ];
    const done = turn({ answer: written('ab', statements, [citation(1), citation(2)]) });
    const refuted: Statement = { ...statements[1]!, verdict: 'not-found', citations: [], checkedBy: 'judge' };
    const { answer } = after(
      { kind: 'turn', turn: done },
      {
        kind: 'event',
        turnId: 't',
        event: { kind: 'checked', index: 1, statement: refuted, newCitations: [] },
      },
    ).turns[0]!;
    assert.deepEqual(citationsToList(done.answer!), [0, 1]);
    assert.deepEqual(citationsToList(answer!), [0]);
    assert.match(summary({ ...done, answer }), /· 1 source ·/);
    assert.doesNotMatch(answerAsMarkdown(answer!, 'inline'), /Title 2/);
  });
});

describe('text around an answer', () => {
  it('counts found and cited passages', () => {
    const statements: Statement[] = [
      { start: 0, end: 1, verdict: 'supported', citations: [0] },
      { start: 1, end: 2, verdict: 'partly', citations: [1] },
      { start: 2, end: 3, verdict: 'not-found', citations: [] },
      { start: 3, end: 4, verdict: 'none', citations: [] },
    ];
    const answer = written('abcd', statements, [citation(1), citation(2, { sourceId: 'source-1' })]);
    const done = turn({ state: { kind: 'done', milliseconds: 2100 }, answer });
    assert.equal(summary(done), '3 statements not fact-checked · 1 source · m · 2.1\u00a0s');
    assert.equal(summary(turn({ state: { kind: 'done', milliseconds: 5 } })), '0.1\u00a0s');
    assert.equal(usage({ input: 1234, output: 56, estimated: 0 }), '1,234 tokens in, 56 out');
    assert.equal(
      usage({ input: 1, output: 0, estimated: 1, cost: 0.0031 }),
      '1 token in, 0 out, estimated · about $0.0031',
    );
  });

  it('gives times and sources in few characters', () => {
    assert.deepEqual([410, 9_940, 12_400, 125_000].map(duration), [
      '0.4\u00a0s',
      '9.9\u00a0s',
      '12\u00a0s',
      '2\u00a0min',
    ]);
    const all = { kind: 'notebook' } as const;
    assert.equal(placeholder({ ready: 1200, working: 3 }, all), 'Ask about 1,200 sources');
    assert.equal(placeholder({ ready: 1, working: 0 }, all), 'Ask about 1 source');
    assert.equal(placeholder({ ready: 0, working: 0 }, all), 'Add sources to ask about them');
    const some = { kind: 'sources', ticked: 3, of: 12 } as const;
    assert.equal(placeholder({ ready: 12, working: 0 }, some), 'Ask about 3 of 12 sources');
    const files = { documents: { count: 1_274, of: 1_274, areFiles: true } };
    assert.equal(
      placeholder({ ready: 4, working: 0 }, { ...all, ...files }),
      'Ask about 4 sources, 1,274 files',
    );
    assert.equal(
      placeholder({ ready: 12, working: 0 }, { ...some, documents: { count: 40, of: 40, areFiles: false } }),
      'Ask about 3 of 12 sources, 40 documents',
    );
    const part = { count: 12, of: 40, areFiles: true };
    assert.equal(
      placeholder({ ready: 3, working: 0 }, { ...some, of: 3, documents: part }),
      'Ask about 3 sources, 12 of 40 files',
    );
    assert.equal(placeholder({ ready: 12, working: 0 }, { kind: 'file' }), 'Ask about the open file');
    assert.equal(placeholder({ ready: 0, working: 0 }, { kind: 'file' }), 'Add sources to ask about them');
    const fileTurn = turn({ scope: { kind: 'file', uri: 'file:///a.md', title: 'a.md' } });
    assert.equal(summary(fileTurn), 'search scope: a.md');
  });

  it('groups citations by document title', () => {
    const citations = [
      citation(1, { documentId: 1, title: 'A' }),
      citation(2, { documentId: 1, title: 'A' }),
      citation(3, { documentId: 2, title: 'B' }),
    ];
    const quotes = citations.map(
      (_, index) => ({ citation: index, format: 'prose', languageId: undefined }) as const,
    );
    assert.deepEqual(
      quotesByDocument({ kind: 'quotes', text: '', quotes, citations }).map(({ title, quotes: own }) => [
        title,
        own.map((quote) => quote.citation),
      ]),
      [
        ['A', [0, 1]],
        ['B', [2]],
      ],
    );
  });

  it('doesn’t list a quote again', () => {
    const citations = [citation(2), citation(1), citation(2)];
    const quotes = [{ citation: 0, format: 'prose', languageId: undefined }] as const;
    assert.deepEqual(citationsToList({ kind: 'quotes', text: '', quotes, citations }), [1]);
    const statements: Statement[] = [{ start: 0, end: 0, verdict: 'supported', citations: [0, 1, 2] }];
    assert.deepEqual(citationsToList(written('', statements, citations)), [1, 0]);
  });
});

describe('excerpts', () => {
  const around = {
    text: 'more than the very words',
    headings: ['A'],
    marks: [],
    citations: [],
    goesOn: false,
  };
  const quotes: Quote[] = [0, 1, 2, 3].map((index) => ({
    citation: index,
    format: 'prose',
    languageId: undefined,
    around: { ...around, goesOn: index === 1 },
  }));
  const citations = [citation(1), citation(2), citation(3), citation(4)];
  const answer: Extract<Answer, { kind: 'quotes' }> = {
    kind: 'quotes',
    text: 'Near:',
    quotes,
    citations,
    pages: [3, 1],
  };

  it('are passages of one section each', () => {
    assert.deepEqual(
      groupPlaces(answer, 4).map((place) => place.map((quote) => quote.citation)),
      [[0, 1], [2], [3]],
    );
  });

  it('are neither copied nor counted before they are requested', () => {
    const markdown = answerAsMarkdown(answer, 'inline');
    assert.equal(markdown.match(/> more than the very words/g)?.length, 3);
    assert.ok(!markdown.includes('[^4]'));
    assert.match(summary(turn({ answer })), /^2 excerpts/);
  });
});

describe('an answer as Markdown', () => {
  it('has its numbers after the statements and the sources below', () => {
    const text = 'One **two.** Three.\n\n```\ncode\n```';
    const statements: Statement[] = [
      { start: 0, end: 13, verdict: 'supported', citations: [0, 1] },
      { start: 13, end: 19, verdict: 'not-found', citations: [] },
      { start: 21, end: text.length, verdict: 'supported', citations: [1] },
    ];
    const citations = [citation(1, { uri: 'https://x.example/' }), citation(2, { place: '' })];
    assert.equal(
      answerAsMarkdown(written(text, statements, citations), 'inline'),
      'One **two.**[^1][^2] Three. [unsupported]\n\n```\ncode\n```\n\n[^2]\n\n[^1]: Title 1, L1–2, <https://x.example/>: “very words”\n[^2]: Title 2: “very words”\n',
    );
  });

  it('quotes words line by line and fences code safely', () => {
    const citations = [citation(1, { quote: 'a\nb' }), citation(2, { quote: '```\nx' })];
    const quotes = [
      { citation: 0, format: 'prose', languageId: undefined },
      { citation: 1, format: 'code', languageId: 'md' },
    ] as const;
    const markdown = answerAsMarkdown({ kind: 'quotes', text: 'Lead.', quotes, citations }, 'inline');
    assert.ok(markdown.startsWith('Lead.\n\n> a\n> b[^1]\n\n````md\n```\nx\n````\n\n[^2]\n\n'));
  });
});

describe('a conversation as Markdown', () => {
  it('has a heading for each question, and unique footnotes for each answer', () => {
    const answer = written(
      'One.',
      [{ start: 0, end: 4, verdict: 'supported', checkedBy: 'judge', citations: [0] }],
      [citation(1)],
    );
    assert.equal(
      conversationAsMarkdown(
        'All of it',
        [
          turn({ question: 'First\nof all?', answer }),
          turn({ question: 'Nothing yet?' }),
          turn({ question: 'Second?', answer }),
        ],
        'inline',
      ),
      '# All of it\n\n## First of all?\n\nOne.[^1]\n\n[^1]: Title 1, L1–2: “very words”\n\n## Nothing yet?\n\n\n## Second?\n\nOne.[^2]\n\n[^2]: Title 1, L1–2: “very words”\n',
    );
  });
});

describe('card of a citation', () => {
  const panel = { width: 300, height: 600 };
  const box = (top: number, left: number) => ({ top, bottom: top + 16, left, right: left + 16 });

  it('is below its chip and stays within the panel', () => {
    const place = placeCard(box(100, 280), box(80, 10), panel);
    assert.equal(place.top, 120);
    assert.ok(place.left >= 0 && place.left + place.width <= panel.width);
    assert.ok(120 + place.maxHeight <= panel.height);
  });

  it('is above the whole sentence if there is no room below', () => {
    const place = placeCard(box(560, 20), box(520, 10), panel);
    assert.equal(place.top, undefined);
    assert.equal(panel.height - (place.bottom ?? 0), 516);
    assert.ok(place.maxHeight <= 516);
  });

  it('is above the chip if the sentence is higher than the panel', () => {
    const place = placeCard(box(560, 20), box(-300, 10), panel);
    assert.equal(panel.height - (place.bottom ?? 0), 556);
    assert.ok(place.maxHeight > 200);
  });

  it('is no wider than necessary', () => {
    assert.equal(placeCard(box(10, 600), box(10, 10), { width: 1200, height: 600 }).width, 360);
  });
});

describe('highlighted part of a statement', () => {
  const text = 'Rain falls in **spring** and in Lisbon.';
  const whole: Statement = { start: 0, end: text.length, verdict: 'partly', citations: [0] };
  const cutWords = (statement: Statement): [string, boolean][] =>
    cutPieces(statement, text).map(({ start, end, isMarked }) => [text.slice(start, end), isMarked]);

  it('is the whole statement if the unsupported words are unknown', () => {
    assert.deepEqual(cutWords(whole), [[text, true]]);
    const checkedBy = 'judge';
    assert.equal(verdictInWords({ ...whole, checkedBy }), 'Partly supported, according to judge');
    assert.equal(verdictInWords({ ...whole, verdict: 'none' }), undefined);
    const deciding = 'falls in autumn';
    assert.equal(
      verdictInWords({ ...whole, checkedBy, verdict: 'contradicted', deciding }),
      'Contradicted, according to judge · “falls in autumn”',
    );
  });

  it('is empty if no model checked the statement, whose card lists the matching words', () => {
    assert.deepEqual(findWords(text, 'In spring 2 rains: the RAIN falls.'), ['Rain', 'falls', 'spring']);
  });

  it('is the unsupported words with their punctuation', () => {
    const lisbon = { start: text.indexOf('Lisbon'), end: text.length - 1 };
    const spring = { start: text.indexOf('spring'), end: text.indexOf('**', 18) };
    assert.deepEqual(cutWords({ ...whole, missing: [spring, lisbon] }), [
      ['Rain falls in **', false],
      ['spring', true],
      ['** and in ', false],
      ['Lisbon.', true],
    ]);
    const beyond = { start: 0, end: text.length + 9 };
    assert.deepEqual(cutWords({ ...whole, missing: [lisbon, spring, beyond] }), [
      ['Rain falls in **spring** and in ', false],
      ['Lisbon.', true],
    ]);
  });
});
