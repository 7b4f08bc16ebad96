import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { ask, documents, scripted, statuses } from './answering-asking.ts';
import { makeNotebook } from './answering-fixtures.ts';

test('shows the top excerpts if there is no model', async () => {
  const outcome = await ask('What is fog?');
  assert.ok(outcome.answer?.kind === 'quotes');
  assert.equal(outcome.answer.text, 'Top excerpts from 1 source:');
  assert.equal(outcome.answer.citations[0]?.quote, 'Fog is a cloud that touches the ground.');
  assert.deepEqual(outcome.answer.quotes, [
    {
      citation: 0,
      format: 'prose',
      languageId: undefined,
      around: {
        text: 'Fog is a cloud that touches the ground.',
        headings: [],
        marks: [],
        citations: [0],
        goesOn: false,
      },
    },
  ]);
  assert.deepEqual(outcome.answer.pages, [1]);
});

test('gives a model the text around the sentences found', async () => {
  const model = scripted('Clouds gather over the western hills [1].');
  const text = `${'It is calm. '.repeat(300)}Clouds gather over the western hills. The record of rain is 305 mm.`;
  const finder = makeNotebook([{ id: 1, title: 'rain.txt', text }]);
  const from = text.indexOf('The record');
  const { answer } = await ask('What is the record of rain?', {
    model,
    passages: {
      ...finder,
      find: async (...search) =>
        (await finder.find(...search))
          .filter((passage) => passage.end > from)
          .map((passage) => ({ ...passage, start: from, text: text.slice(from, passage.end) })),
    },
  });
  assert.match(model.requests[0]?.at(-1)?.content ?? '', /western hills\. The record of rain is 305 mm/);
  assert.ok(answer?.kind === 'written');
  assert.equal(answer.statements[0]?.verdict, 'supported');
});

test('asks no model if nothing was found', async () => {
  const model = scripted('Yes.');
  const { answer } = await ask('Which volcano erupted?', { model });
  assert.deepEqual(answer, {
    kind: 'nothing',
    text: 'Your question doesn’t match anything in this notebook. Try different words.',
    citations: [],
  });
  assert.equal(model.requests.length, 0);
});

test('names the search scope if it doesn’t answer', async () => {
  const { answer } = await ask('Which volcano erupted?', { place: 'notes.md' });
  assert.equal(
    answer?.text,
    'Your question doesn’t match anything in notes.md. Try different words, or search the whole notebook.',
  );
});

test('suggests the nearest source outside the search scope', async () => {
  const all = makeNotebook(documents);
  const passages: PassageFinder = {
    ...all,
    find: () => Promise.resolve([]),
    places: () => Promise.resolve([]),
    placesElsewhere: (...args) => all.places(...args),
  };
  const { answer } = await ask('When does snow fall?', { passages, place: 'fog.txt' });
  assert.ok(answer?.kind === 'nothing');
  assert.equal(
    answer.text,
    'Your question doesn’t match anything in fog.txt. Try different words, or search the whole notebook. The closest match elsewhere in the notebook is in snow.txt.',
  );
  assert.equal(answer.citations[0]?.title, 'snow.txt');
});

test('searches for less than it asks the model', async () => {
  const passages = makeNotebook(documents);
  const model = scripted('Snow falls in winter [1].');
  await ask('When does snow fall, says @rain.txt?', { words: 'When does snow fall', passages, model });
  assert.deepEqual(passages.searches, ['When does snow fall']);
  assert.match(model.requests[0]?.at(-1)?.content ?? '', /says @rain\.txt\?/);
});

test('removes marks from an answer and gives each sentence its citations', async () => {
  const model = scripted(
    'Snow fal',
    'ls in winter [1',
    ']. The record of rain is 305 mm in one hour [2]. ',
    'Snow falls in winter [1].',
  );
  const outcome = await ask('When do snow and rain fall in winter?', { model });
  assert.equal(outcome.error, undefined);
  assert.ok(outcome.answer?.kind === 'written');
  const { text, statements, citations } = outcome.answer;
  assert.equal(text, 'Snow falls in winter. The record of rain is 305 mm in one hour. Snow falls in winter.');
  assert.deepEqual(
    statements.map(({ start, end, verdict, citations: cited }) => [text.slice(start, end), verdict, cited]),
    [
      ['Snow falls in winter.', 'supported', [0]],
      ['The record of rain is 305 mm in one hour.', 'unchecked', [1]],
      ['Snow falls in winter.', 'supported', [0]],
    ],
  );
  assert.deepEqual(
    citations.map(({ number, title, quote }) => [number, title, quote]),
    [
      [1, 'snow.txt', 'Snow falls in winter.'],
      [2, 'rain.txt', 'The record is 305 mm in one hour.'],
    ],
  );
  assert.deepEqual(statuses(outcome), [
    'Reading 2 passages from 2 sources…',
    'Waiting for scripted-1…',
    'Writing…',
  ]);
});

test('keeps the citation of a sentence that a model checks', async () => {
  const { answer } = await ask('When does snow fall?', {
    model: scripted('Snow tastes like strawberries and vanilla [1].'),
  });
  assert.ok(answer?.kind === 'written');
  assert.deepEqual(
    answer.statements.map(({ verdict, citations }) => [verdict, citations]),
    [['unchecked', [0]]],
  );
  assert.equal(answer.citations.length, 1);
});

test('numbers passages in the order of the answer', async () => {
  const model = scripted('Fog is a cloud that touches the ground [3]. Snow falls in winter [2].');
  const passages = makeNotebook(documents);
  const { answer } = await ask(
    'Does snow fall in winter, rain in spring, and what about fog, snow and rain?',
    { model, passages },
  );
  assert.ok(answer?.kind === 'written');
  assert.deepEqual(
    answer.citations.map(({ number, title }) => [number, title]),
    [
      [1, 'fog.txt'],
      [2, 'snow.txt'],
    ],
  );
});

test('keeps and checks the text of a stream that breaks off', async () => {
  const model = scripted(
    'Snow falls in winter [1]. It me',
    new NotebookError('stream-cut', 'The answer broke off.'),
  );
  const { answer, error } = await ask('When does snow fall?', { model });
  assert.ok(error instanceof NotebookError && error.code === 'stream-cut');
  assert.ok(answer?.kind === 'written');
  assert.equal(answer.text, 'Snow falls in winter. It me');
  assert.equal(answer.statements[0]?.verdict, 'supported');
});

test('returns no answer if a model fails before its first word', async () => {
  const { answer, error } = await ask('When does snow fall?', {
    model: scripted(new NotebookError('connection', 'No answer.')),
  });
  assert.equal(answer, undefined);
  assert.ok(error instanceof NotebookError && error.code === 'connection');
});

test('reports an answer without citations', async () => {
  const passages = {
    ...makeNotebook(documents),
    cite: () => Promise.reject(new NotebookError('internal', 'Gone.')),
  };
  const { error } = await ask('When does snow fall?', {
    model: scripted('Snow falls in winter [1]. ', 'Snow melts.'),
    passages,
  });
  assert.ok(error instanceof NotebookError && error.message === 'Gone.');
});

test('stops the answer', async () => {
  const controller = new AbortController();
  const { error } = await ask('When does snow fall?', {
    model: scripted('Snow ', 'falls ', 'in winter.'),
    signal: controller.signal,
    emit: (event) => {
      if (event.kind === 'text') controller.abort();
    },
  });
  assert.ok(error instanceof NotebookError && error.code === 'cancelled');
});

test('searches a follow-up with the words of the question that it refers to', async () => {
  const passages = makeNotebook(documents);
  const history = [
    { question: 'When does snow fall?', answer: 'In winter.' },
    { question: 'And where?', answer: 'Nothing.' },
  ];
  await ask('Why does it?', { passages, history });
  await ask('What is fog made of in autumn valleys?', { passages, history });
  assert.deepEqual(
    passages.searches.filter((words, i, all) => all.indexOf(words) === i),
    ['Why does it?\nAnd where?\nWhen does snow fall?', 'What is fog made of in autumn valleys?'],
  );
});

test('searches a follow-up by its own words and by the model’s queries', async () => {
  const passages = makeNotebook(documents);
  const history = [{ question: 'When does snow fall?', answer: 'In winter.' }];
  const model: LanguageModel = {
    name: 'scripted-1',
    async *stream(messages) {
      await Promise.resolve();
      yield messages.at(-1)?.content.includes('Assistant: In winter.') === true
        ? '1. "degrees above which snow melts"\n'
        : 'Above 0 degrees [1].';
    },
  };
  const input = { passages, history, model, writesSearches: true };
  const outcome = await ask('And when does it melt?', input);
  const own = 'And when does it melt?\nWhen does snow fall?';
  assert.deepEqual(new Set(passages.searches), new Set([own, 'degrees above which snow melts']));
  assert.equal(outcome.answer?.kind, 'written');
  assert.deepEqual(outcome.answer.searches, [
    'And when does it melt? · When does snow fall?',
    'degrees above which snow melts',
  ]);
});

test('shows the searches of a follow-up without a model, but not of other questions', async () => {
  const history = [{ question: 'When does snow fall?', answer: 'In winter.' }];
  const followUp = await ask('And when does it melt?', { history });
  assert.deepEqual(followUp.answer?.searches, ['And when does it melt? · When does snow fall?']);
  const alone = await ask('What is fog made of?', { history });
  assert.equal(alone.answer?.searches, undefined);
});

test('asks the model whenever anything was found', async () => {
  const model = scripted('The passages do not tell of volcanoes.');
  const question = 'Which volcano in Iceland erupted when the snow came?';
  const { answer } = await ask(question, { model });
  assert.equal(answer?.kind, 'written');
  assert.match(model.requests[0]?.at(-1)?.content ?? '', /Snow falls in winter/);
});

test('gives the model the conversation', async () => {
  const model = scripted('Above 0 degrees [1].');
  await ask('When does it melt?', {
    model,
    history: [{ question: 'When does snow fall?', answer: 'In winter.' }],
  });
  assert.deepEqual(
    model.requests.at(-1)?.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
});

test('leaves the model’s reasoning out of the answer', async () => {
  const model = scripted(' <th', 'ink>Let me see [1].', '</thi', 'nk>\n\nSnow falls', ' in winter [1].');
  const { answer } = await ask('When does snow fall?', { model });
  assert.ok(answer?.kind === 'written');
  assert.equal(answer.text, 'Snow falls in winter.');
  const plain = await ask('When does snow fall?', { model: scripted('<', 'b>In winter</b>') });
  assert.ok(plain.answer?.kind === 'written');
  assert.equal(plain.answer.text, '<b>In winter</b>');
});

test('begins again when reasoning turns out as such only at its end', async () => {
  const model = scripted(
    'Okay, when? Snow falls in fog [1].',
    ' Wait.\n</thi',
    'nk>\n\nSnow falls',
    ' in winter [1].',
  );
  const { answer } = await ask('When does snow fall?', { model });
  assert.ok(answer?.kind === 'written');
  assert.equal(answer.text, 'Snow falls in winter.');
  assert.equal(answer.statements.length, 1);
  const twice = await ask('When does snow fall?', {
    model: scripted('Okay, when?\n', 'In fog?\n</think>\nNo.\n</think>\n\nSnow falls', ' in winter [1].'),
  });
  assert.ok(twice.answer?.kind === 'written');
  assert.equal(twice.answer.text, 'Snow falls in winter.');
  const ended = await ask('When does snow fall?', { model: scripted('Okay, when?\n</think>') });
  assert.ok(ended.answer?.kind === 'written');
  assert.equal(ended.answer.text, '');
  assert.ok(ended.error instanceof NotebookError && ended.error.code === 'empty');
});

test('treats an empty answer as an error', async () => {
  const { answer, error } = await ask('When does snow fall?', { model: scripted('<think>Hm', 'm.') });
  assert.equal(answer, undefined);
  assert.ok(error instanceof NotebookError && error.code === 'empty');
});

test('checks a repeated sentence with the citations of each occurrence', async () => {
  const said = ['Snow falls in winter [1].', 'Snow falls in winter [1].', 'Snow falls in winter.'];
  const { answer } = await ask('When does snow fall?', { model: scripted(said.join(' ')) });
  assert.ok(answer?.kind === 'written');
  const sentence = 'Snow falls in winter.';
  assert.deepEqual(
    answer.statements.map(({ start, end }) => answer.text.slice(start, end).trim()),
    said.map(() => sentence),
  );
  assert.deepEqual(new Set(answer.statements.map(({ start }) => start)).size, 3);
  for (const { verdict, citations } of answer.statements)
    assert.deepEqual({ verdict, citations }, { verdict: 'supported', citations: [0] });
});

test('distinguishes the same sentence with another citation', async () => {
  const wrong = { id: 2, title: 'fog.txt', text: 'Fog is a cloud that touches the snow.' };
  const right = { id: 1, title: 'snow.txt', text: 'Snow falls in winter. It melts above 0 degrees.' };
  const model = scripted('Snow falls in winter [1]. Snow falls in winter [2].');
  const { answer } = await ask('When does snow fall?', { model, passages: makeNotebook([right, wrong]) });
  assert.ok(answer?.kind === 'written');
  const moved = answer.statements.map((statement) => statement.moved === true);
  assert.deepEqual([...moved].sort(), [false, true], JSON.stringify(answer));
});
