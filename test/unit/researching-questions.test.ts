import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChatMessage, LanguageModel } from '../../src/answers/models/language-model.ts';
import { normalizeQuestion, isSameQuestion } from '../../src/core/language/same-question.ts';
import { quizOfChoices } from '../../src/features/flashcards/service/quiz.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import {
  checkQuestions,
  makeQuestions,
  QuestionsCutShort,
  QUESTIONS_PROMPT,
  type GeneratedQuestion,
  type QuestionsInput,
} from '../../src/features/questions/service/make-questions.ts';
import {
  isChoice,
  pairAsLine,
  pairsIn,
  QUESTION_KINDS,
  replacePairs,
} from '../../src/features/questions/service/pairs.ts';
import { choiceIn, quiz } from '../../src/features/questions/service/quiz.ts';
import { quizReport } from '../../src/features/questions/service/quiz-report.ts';
import {
  distractorsFor,
  normalizeText,
  classifyAnswer,
  answerCandidates,
} from '../../src/features/questions/service/answer-candidates.ts';
import { makeJudge } from '../support/judge.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const documents: readonly TestDocument[] = [
  {
    id: 1,
    title: 'pump.md',
    text: 'The garden pump was installed in 1998. It moves 12 litres a minute.',
    headings: ['Pump'],
  },
  {
    id: 2,
    title: 'barn.md',
    text: 'The old barn was rebuilt in 1974. It holds 40 litres of paint.',
    headings: ['Barn'],
  },
  {
    id: 3,
    title: 'well.md',
    text: 'The deep well was dug in 1931. It gives 75 litres a day.',
    headings: ['Well'],
  },
  {
    id: 4,
    title: 'shed.md',
    text: 'The tool shed burned down in 1956. It had room for 90 litres of oil.',
    headings: ['Shed'],
  },
];

const years = [
  ['garden pump', 'installed', '1998'],
  ['old barn', 'rebuilt', '1974'],
  ['deep well', 'dug', '1931'],
  ['tool shed', 'burned down', '1956'],
] as const;

const finder = makeNotebook(documents);
const passages = documents.map((document) => makePassage(document));

/** Returns a model that replies with a function of the messages. */
function makeModel(
  reply: (messages: readonly ChatMessage[], index: number) => string | Error,
): LanguageModel {
  let index = 0;
  return {
    name: 'scripted',
    async *stream(messages, { signal }) {
      await Promise.resolve();
      signal.throwIfAborted();
      const replyText = reply(messages, index++);
      if (replyText instanceof Error) throw replyText;
      yield replyText;
    },
  };
}

const json = (...pairs: readonly object[]): string => `\`\`\`json\n${JSON.stringify(pairs)}\n\`\`\``;

/** Returns the index of the passage in a prompt. */
function shownIn(messages: readonly ChatMessage[]): number {
  const text = messages.map(({ content }) => content).join('\n');
  return years.findIndex(([subject]) => text.includes(subject));
}

function choiceAbout(messages: readonly ChatMessage[]): object {
  const [subject, deed, year] = years[shownIn(messages)] ?? years[0];
  const statement = `The ${subject} was ${deed} in ${year}.`;
  return { kind: 'choice', question: `In which year was the ${subject} ${deed}?`, answer: year, statement };
}

/** Reports whether a text contains the longer words and the numbers of a statement. */
function isSaid(statement: string, text: string): boolean {
  const words = statement.match(/\p{L}{4,}|\d+/gu) ?? [];
  return words.every((word) => text.toLowerCase().includes(word.toLowerCase()));
}

function makeInput(model: LanguageModel, more: Partial<QuestionsInput> = {}): QuestionsInput {
  return {
    passages,
    kinds: QUESTION_KINDS,
    count: 4,
    model,
    checker: makeJudge((statement, evidence) =>
      // “Was … installed in 1989?” is false for something that was installed in 1998.
      /1989.*is: /.test(statement) ? statement.endsWith(' No.') : isSaid(statement, evidence),
    ),
    finder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  };
}

test('generates 300 quiz questions without duplicates, however often a model repeats one', async () => {
  const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'ri', 'so', 'tu'];
  const places = Array.from({ length: 340 }, (_, n) => {
    const [a, b, c] = [n % 10, Math.floor(n / 10) % 10, Math.floor(n / 100)];
    const name = `${syllables[a] ?? ''}${syllables[b] ?? ''}${syllables[c] ?? ''}n`;
    const town = name.charAt(0).toUpperCase() + name.slice(1);
    const text = `The tower of ${town} was built in ${String(1_100 + 2 * n)} by the people of ${town}.`;
    return { id: n + 1, title: `${name}.md`, text, town, year: String(1_100 + 2 * n) };
  });
  const replies: object[] = [];
  const model = makeModel((messages) => {
    const text = messages.map(({ content }) => content).join('\n');
    const { town, year } = places.find((one) => text.includes(`tower of ${one.town} `)) ?? places[0]!;
    const statement = `The tower of ${town} was built in ${year}.`;
    const question = `In which year was the tower of ${town} built?`;
    const again = {
      kind: 'choice',
      question: `When was the tower of ${town} built?`,
      answer: year,
      statement,
    };
    const before = replies.at(-1);
    replies.push({ kind: 'choice', question, answer: year, statement });
    return json(...replies.slice(-1), again, ...(before === undefined ? [] : [before]));
  });
  const { generated, dropped, ended } = await makeQuestions(
    makeInput(model, {
      kinds: ['choice'],
      count: 300,
      passages: places.map((place) => makePassage(place)),
      finder: makeNotebook(places),
    }),
  );
  assert.equal(ended, 'done');
  const questions = quizOfChoices(generated);
  assert.equal(questions.length, 300);
  assert.ok(dropped.repeated >= 300, String(dropped.repeated));
  const normalizedQuestions = questions.map(({ question, choices, right }) =>
    normalizeQuestion(question, choices[right] ?? ''),
  );
  for (const [index, one] of normalizedQuestions.entries())
    for (const other of normalizedQuestions.slice(0, index)) assert.ok(!isSameQuestion(one, other));
  for (const { choices, right, citation } of questions) {
    assert.equal(new Set(choices).size, choices.length);
    assert.ok(citation?.quote.includes(choices[right] ?? '-'));
  }
});

test('takes choices from the notebook, and supports each answer with its quote', async () => {
  const model = makeModel((messages) => {
    assert.ok(messages[0]?.content.startsWith(QUESTIONS_PROMPT));
    return json(choiceAbout(messages));
  });
  const reportedCounts: number[] = [];
  const { pairs, ended, requests } = await makeQuestions(
    makeInput(model, { kinds: ['choice'], onProgress: (count) => reportedCounts.push(count) }),
  );
  assert.equal(ended, 'done');
  assert.equal(requests, 4);
  assert.equal(reportedCounts.at(-1), 4);
  assert.equal(new Set(pairs.map(({ source }) => source)).size, 4);
  for (const { answer, choices = [], quote, headings, about } of pairs) {
    assert.deepEqual(choices.toSorted(), ['1931', '1956', '1974', '1998']);
    assert.ok(quote.includes(answer), quote);
    assert.equal(headings.length, 1);
    assert.equal(about, 'year');
  }
});

test('drops and counts questions that are unsupported, repeated, or mention a passage', async () => {
  const question = 'How many litres a minute does the garden pump move?';
  const model = makeModel((messages) =>
    shownIn(messages) !== 0
      ? '[]'
      : json(
          {
            kind: 'short',
            question,
            answer: '12 litres',
            statement: 'The garden pump moves 12 litres a minute.',
          },
          {
            kind: 'short',
            question: `${question.slice(0, -1)} ?`,
            answer: '12 litres',
            statement: 'The garden pump moves 12 litres a minute.',
          },
          {
            kind: 'short',
            question: 'In which year was the garden pump installed?',
            answer: '1989',
            statement: 'The garden pump was installed in 1989.',
          },
          {
            kind: 'short',
            question: 'Who installed the new garden pump there?',
            answer: 'Miller',
            statement: 'The garden pump was installed in 1998.',
          },
          {
            kind: 'short',
            question: 'What year does the passage give?',
            answer: '1998',
            statement: 'The garden pump was installed in 1998.',
          },
          {
            kind: 'yes-no',
            question: 'Was the garden pump installed in 1989?',
            answer: 'Yes',
            statement: 'The garden pump was installed in 1998.',
          },
        ),
  );
  const { pairs, dropped, ended } = await makeQuestions(
    makeInput(model, { count: 9, kinds: ['short', 'yes-no'] }),
  );
  assert.deepEqual(
    pairs.map((pair) => pair.answer),
    ['12 litres'],
  );
  assert.deepEqual(dropped, { unsupported: 3, repeated: 1, withoutChoices: 0, unclear: 1 });
  assert.equal(ended, 'passages');
});

test('checks long answers sentence by sentence, and answers no if the sources contradict one', async () => {
  const model = makeModel((messages) =>
    shownIn(messages) !== 0
      ? '[]'
      : json(
          {
            kind: 'long',
            question: 'What is known of the garden pump?',
            answer: 'The garden pump was installed in 1998. It moves 12 litres a minute.',
          },
          {
            kind: 'long',
            question: 'What else is told of that garden pump and its price?',
            answer: 'The garden pump was installed in 1998. It was bought in Vienna by Anna Huber.',
          },
          {
            kind: 'yes_no',
            question: 'Was the garden pump installed in 1989?',
            answer: false,
            statement: 'The garden pump was installed in 1998.',
          },
        ),
  );
  const { pairs, dropped } = await makeQuestions(makeInput(model, { count: 9 }));
  assert.deepEqual(
    pairs.map(({ kind, answer }) => [kind, answer.slice(0, 3)]),
    [
      ['long', 'The'],
      ['yes-no', 'No'],
    ],
  );
  assert.equal(dropped.unsupported, 1);
});

/** Question whose answer the source supports, as a model writes it. */
const INSTALLATION = {
  kind: 'short',
  question: 'In which year did workers install the garden pump?',
  answer: '1998',
  statement: 'Workers installed the garden pump in 1998.',
};

test('keeps what rules don’t contradict if there is no checker, marked as unchecked', async () => {
  const model = makeModel((messages) =>
    shownIn(messages) !== 0
      ? '[]'
      : json(
          INSTALLATION,
          {
            kind: 'short',
            question: 'How many litres a minute does the garden pump move?',
            answer: '12 litres',
            statement: 'It moves 12 litres a minute.',
          },
          {
            kind: 'short',
            question: 'In which year was the garden pump set up by the town?',
            answer: '1989',
            statement: 'The garden pump was installed in 1989.',
          },
        ),
  );
  const { generated, dropped } = await makeQuestions(makeInput(model, { count: 9, checker: undefined }));
  assert.deepEqual(
    generated.map(({ pair, isChecked }) => [pair.answer, isChecked]),
    [
      ['1998', false],
      ['12 litres', true],
    ],
  );
  const lines = generated.map(({ pair }) => pairAsLine(pair)).join('\n');
  assert.deepEqual(
    generated.map(({ citation }, i) => [citation.isUnchecked, pairsIn(lines).pairs[i]?.verdict]),
    [
      [true, 'unchecked'],
      [undefined, undefined],
    ],
  );
  assert.equal(dropped.unsupported, 1);
});

/** Generates a question that the sources support and one that they don't, without a check. */
async function uncheckedQuestions(): Promise<readonly GeneratedQuestion[]> {
  const model = makeModel((messages) =>
    shownIn(messages) !== 0
      ? '[]'
      : json(INSTALLATION, {
          kind: 'short',
          question: 'What moves the garden pump all day?',
          answer: 'diesel',
          statement: 'The garden pump was installed with diesel.',
        }),
  );
  const { generated } = await makeQuestions(makeInput(model, { count: 9, checker: undefined }));
  assert.deepEqual(
    generated.map(({ pair }) => [pair.answer, pair.verdict]),
    [
      ['1998', 'unchecked'],
      ['diesel', 'unchecked'],
    ],
  );
  return generated;
}

test('checks questions later, and removes unsupported ones from their file', async () => {
  const generated = await uncheckedQuestions();
  const judge = makeJudge((statement) => !statement.includes('diesel'));
  const counts: number[] = [];
  const { supported, unsupported, unchecked, problem } = await checkQuestions(generated, {
    ...{ checker: judge, finder, signal: new AbortController().signal },
    onProgress: (count) => counts.push(count),
  });
  assert.deepEqual(
    [supported, unsupported, unchecked].map((questions) => questions.map(({ pair }) => pair.answer)),
    [['1998'], ['diesel'], []],
  );
  assert.deepEqual([problem, judge.prompts.length, counts], [undefined, 2, [2]]);
  const file = `${generated.map(({ pair }) => pairAsLine(pair)).join('\n')}\nA note of the user\n`;
  const changed = replacePairs(file, [
    ...supported.map(({ pair }) => [pair, pair] as const),
    ...unsupported.map(({ pair }) => [pair, undefined] as const),
  ]);
  const { pairs, others } = pairsIn(changed);
  assert.deepEqual(
    [pairs.map(({ answer, verdict }) => [answer, verdict]), others],
    [[['1998', undefined]], 1],
  );
  assert.ok(changed.endsWith('\nA note of the user\n'));
});

test('leaves questions unchecked if the model fails or their passage has changed', async () => {
  const generated = await uncheckedQuestions();
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const failed = await checkQuestions(generated, {
    ...options,
    checker: makeModel(() => 'I can’t say.'),
    finder,
  });
  assert.deepEqual(failed.unchecked, generated);
  assert.match(failed.problem ?? '', /didn’t return usable verdicts/);
  const gone = { ...finder, at: () => Promise.resolve([]) };
  const { unchecked } = await checkQuestions(generated, { ...options, checker: makeJudge(), finder: gone });
  assert.deepEqual(unchecked, generated);
});

test('accepts lines as well as JSON, and explains errors of a reply to the model', async () => {
  const replies = [
    'I would rather not.',
    'Kind: short\nQuestion: In which year was the garden pump installed?\n**Answer:** 1998\nStatement: The garden pump was installed in 1998.',
  ];
  let corrected = '';
  const model = makeModel((messages, index) => {
    if (index === 1) corrected = messages.at(-1)?.content ?? '';
    return replies[index] ?? '[]';
  });
  const { pairs } = await makeQuestions(makeInput(model, { count: 1, kinds: ['short'] }));
  assert.match(corrected, /^That could not be used/);
  assert.deepEqual(
    pairs.map(({ answer }) => answer),
    ['1998'],
  );
});

test('doesn’t repeat existing questions, and uses their passages last', async () => {
  const first = await makeQuestions(
    makeInput(
      makeModel((messages) => json(choiceAbout(messages))),
      { count: 2, kinds: ['choice'] },
    ),
  );
  const existing = pairsIn(first.pairs.map(pairAsLine).join('\n')).pairs;
  assert.deepEqual(existing, first.pairs);
  const requestedCounts: number[] = [];
  const model = makeModel((messages) => {
    requestedCounts.push(shownIn(messages));
    return json(choiceAbout(messages));
  });
  const more = await makeQuestions(makeInput(model, { existing, kinds: ['choice'] }));
  const sources = [...existing, ...more.pairs].map(({ source }) => source);
  assert.equal(new Set(sources).size, 4);
  assert.equal(requestedCounts.length, 2);
});

test('limits the requests, and returns finished questions after a stop or failure', async () => {
  let requests = 0;
  const many = Array.from({ length: 200 }, (_, index) => passages[index % 4] ?? passages[0]).flatMap(
    (each) => each ?? [],
  );
  const silent = await makeQuestions(
    makeInput(
      makeModel(() => {
        requests++;
        return '[]';
      }),
      { passages: many, count: 100 },
    ),
  );
  assert.equal(silent.ended, 'in-vain');
  assert.ok(requests <= 12 && silent.requests === requests);

  const stop = new AbortController();
  const stopped = await makeQuestions(
    makeInput(
      makeModel((messages, index) => {
        if (index === 1) stop.abort();
        return json(choiceAbout(messages));
      }),
      {
        kinds: ['short', 'choice'],
        signal: stop.signal,
      },
    ),
  );
  assert.equal(stopped.ended, 'stopped');
  assert.equal(stopped.pairs.length, 1);

  const failing = makeModel((messages, index) =>
    index === 0 ? json(choiceAbout(messages)) : new NotebookError('server', 'It is down.'),
  );
  await assert.rejects(
    makeQuestions(makeInput(failing, { kinds: ['choice'] })),
    (error) =>
      error instanceof QuestionsCutShort &&
      error.newQuestions.pairs.length === 1 &&
      error.message === 'It is down.',
  );
});

test('classifies answers, and takes no choices from the passage with the answer', () => {
  assert.deepEqual(classifyAnswer('1998'), { kind: 'year', unit: '', words: '1998' });
  assert.deepEqual(classifyAnswer('12 litres'), { kind: 'number', unit: 'litres', words: '12 litres' });
  assert.equal(classifyAnswer('Mount Ibuki')?.kind, 'name');
  assert.equal(classifyAnswer('readFile()')?.kind, 'code');
  assert.equal(classifyAnswer('rain water')?.kind, 'term');
  assert.equal(classifyAnswer('It is known that this was done there by all of them.'), undefined);
  const pool = documents.flatMap(({ text }) => answerCandidates(text));
  const passage = normalizeText(documents[0]?.text ?? '');
  assert.deepEqual(distractorsFor('12 litres', passage, pool), ['40 litres', '75 litres', '90 litres']);
  assert.equal(distractorsFor('12 litres', passage, pool.slice(0, 3)), undefined);
});

test('reads files back whatever else they contain', () => {
  const { pairs, others } = pairsIn(
    '\uFEFFnot json\n\n{"metadata":{}}\n{"metadata":{"kind":"choice","question":"A?","answer":"x","choices":["y","z"]}}',
  );
  assert.deepEqual([pairs.length, others], [0, 3]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, behind) => {
      const pair = {
        kind: 'short',
        question: `Q${before}?`,
        answer: `A${behind}`,
        source: before,
        place: '',
        headings: [],
        quote: behind,
      } as const;
      const read = pairsIn(pairAsLine(pair)).pairs;
      assert.deepEqual(read, [pair]);
    }),
  );
  const line = JSON.parse(
    pairAsLine({
      kind: 'choice',
      question: 'When?',
      answer: 'b',
      choices: ['a', 'b'],
      source: 's',
      place: 'p',
      headings: [],
      quote: 'q',
    }),
  ) as { messages: unknown };
  assert.deepEqual(line.messages, [
    { role: 'user', content: 'When?\n\nA) a\nB) b' },
    { role: 'assistant', content: 'B) b' },
  ]);
});

test('recognizes the choice in any form of reply', () => {
  const choices = ['11 days', '12 days', 'a week', 'none'];
  for (const reply of [
    'B',
    'b',
    ' B) ',
    '(B)',
    '**B**',
    'B. 12 days',
    'B - 12 days',
    'The answer is B',
    'The correct answer is: **B**.',
    'Answer: (B) 12 days',
    'It takes 12 days.',
    'A is wrong, since it says 11.\n\nThe answer is B.',
    'Let me see.\nB',
    '答案是B',
    'option b',
    'Die Antwort ist B.',
    'La réponse est : B.',
    'La risposta è B) 12 giorni.',
    'Ответ: B.',
    'Cevap: B',
    '答えはB',
  ])
    assert.equal(choiceIn(reply, choices), 1, reply);
  for (const reply of [
    '',
    'I do not know.',
    'E',
    'A or B, either 11 days or 12 days',
    'The answer is a matter of taste.',
    'An excellent question!',
  ])
    assert.equal(choiceIn(reply, choices), undefined, reply);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (reply) => {
      const chosen = choiceIn(reply, choices);
      assert.ok(chosen === undefined || (chosen >= 0 && chosen < 4));
    }),
  );
});

const questions = years.map(([subject, deed, year], index) => ({
  kind: 'choice' as const,
  question: `In which year was the ${subject} ${deed}?`,
  answer: year,
  choices: years.map(([, , each]) => each),
  about: index < 2 ? 'year' : 'number',
  source: `${subject}|.md`,
  place: 'L1',
  headings: [],
  quote: year,
}));

test('asks all models the same questions in the same order, and continues if one fails', async () => {
  const seen: string[][] = [[], []];
  const right = (messages: readonly ChatMessage[], to: string[]): string => {
    const prompt = messages.at(-1)?.content ?? '';
    to.push(prompt);
    const year = questions.find(({ question }) => prompt.startsWith(question))?.answer ?? '?';
    return `The answer is ${
      prompt
        .split('\n')
        .find((line) => line.endsWith(year))
        ?.charAt(0) ?? '?'
    }.`;
  };
  const models = [
    { name: 'good', model: makeModel((messages) => right(messages, seen[0] ?? [])) },
    {
      name: 'first | letter',
      model: makeModel((messages) => {
        seen[1]?.push(messages.at(-1)?.content ?? '');
        return 'A';
      }),
    },
    { name: 'mute', model: makeModel(() => 'I would have to look <script>alert(1)</script>.') },
    { name: 'down', model: makeModel(() => new NotebookError('server', 'It is down.')) },
  ];
  let clock = 0;
  const answered: number[] = [];
  const results = await quiz({
    questions,
    models,
    seed: 7,
    signal: new AbortController().signal,
    now: () => (clock += 100),
    onProgress: (count) => answered.push(count),
  });
  assert.deepEqual(seen[0], seen[1]);
  assert.ok(
    new Set(seen[0]?.map((question) => question.split('\n')[2])).size > 1,
    'The order of choices is drawn.',
  );
  assert.deepEqual(
    results.map(({ replies }) => replies.length),
    [4, 4, 4, 3],
  );
  assert.deepEqual(
    results[0]?.replies.map(({ chosen }) => questions[0]?.choices[chosen ?? -1]),
    years.map(([, , year]) => year),
  );
  assert.equal(results[3]?.error, 'It is down.');
  assert.equal(answered.at(-1), 15);

  const report = quizReport(
    questions,
    results.map((result) => ({
      ...result,
      usage: result.name === 'good' ? { input: 90, output: 10, estimated: 0, cost: 0.25 } : undefined,
    })),
  );
  assert.match(report, /\| good \| 4 \(100 %\) \| 0 \| 0 \| 100 \| \u2060?\$0\.25 \| /);
  assert.match(report, /\| first \\\| letter \| /);
  assert.match(report, /\| down \| 0 \(0 %\) \| 0 \| 4 \| {2}\| {2}\| /);
  assert.match(report, /- down didn’t answer all questions: It is down\./);
  assert.match(report, /## Results by type[^#]*\| year \| 2 \| 2 \|/);
  assert.match(report, /- ✓ A\) 1998 — good/);
  assert.match(report, /- mute: “I would have to look <\u2060script>/);

  const stop = new AbortController();
  const [stopped] = await quiz({
    questions,
    models: models.slice(0, 1),
    seed: 7,
    signal: stop.signal,
    now: () => 0,
    onProgress: () => {
      stop.abort();
    },
  });
  assert.equal(stopped?.replies.length, 1);
  assert.equal(stopped.error, 'Stopped.');
  assert.ok(questions.every(isChoice));
});
