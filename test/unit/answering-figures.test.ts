// Tests figures that a question asks about, and how models get them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import type { KnownDifferences } from '../../src/answers/models/request-differences.ts';
import { figuresInQuestion } from '../../src/answers/question/figures-in-question.ts';
import type { QuestionInput, ShownFigures } from '../../src/answers/question/question-input.ts';
import { figuresIn } from '../../src/core/language/figures.ts';
import type { FiguresOffered } from '../../src/core/domain/answer.ts';
import { openAIServerFor, type OpenAIServer } from '../support/openai-server.ts';
import { ask, scripted } from './answering-asking.ts';
import { makeNotebook, makePassage } from './answering-fixtures.ts';

const report = [
  'The losses rise in winter, as Figure 3 shows.',
  'Figure 3: Losses of the northern station.',
  'Figure 4: Losses of the southern station.',
].join('\n\n');

const passages = passagesOf(report);

/** Returns passages as the index does, with the figures that a passage shows or names. */
function passagesOf(text: string): QuestionInput['passages'] {
  const notebook = makeNotebook([{ id: 1, title: 'report.pdf', text }]);
  return {
    ...notebook,
    find: (...args) => notebook.find(...args),
    gather: (...args) => notebook.gather(...args),
    cite: async (requests) =>
      (await notebook.cite(requests)).map((citation) => {
        const { figures, mentions } = figuresIn(text, 'prose');
        const { start, end } = citation.span;
        const own =
          figures.find(({ caption }) => caption.start < end && start < caption.end) ??
          figures[mentions.find((mention) => mention.start < end && start < mention.end)?.figure ?? -1];
        return own === undefined
          ? citation
          : { ...citation, figure: { name: own.name, words: own.name, start: own.caption.start } };
      }),
  };
}

const picture = { mediaType: 'image/png', base64: 'aGk=' };

/** Returns a function that shows figures and records their names. */
function shower(asked: string[]): NonNullable<QuestionInput['showFigures']> {
  return (citations): Promise<ShownFigures> => {
    asked.push(...citations.map(({ figure }) => figure?.name ?? ''));
    const figures = citations.map(({ title, place, figure }) => ({
      name: figure?.name ?? '',
      title,
      place,
      width: 10,
      height: 10,
      bytes: 2,
    }));
    return Promise.resolve({ outcome: { kind: 'sent', figures }, images: citations.map(() => picture) });
  };
}

for (const [question, ...names] of [
  ['What does Figure 3 show of the losses?', 'Figure 3'],
  ['Compare the losses of figures 3 and 4', 'Figure 3', 'Figure 4'],
  ['What is in the chart of the southern station?', 'Figure 4'],
  ['Why do losses rise in winter?'],
  ['What does Figure 9 show of the losses?'],
] as const)
  test(`sends the figures that a question asks about: ${question}`, async () => {
    const model = scripted('Losses rise in winter [1].');
    const requests: string[] = [];
    const { answer, error } = await ask(question, { model, passages, showFigures: shower(requests) });
    assert.equal(error, undefined);
    assert.deepEqual(requests, names);
    const last = model.requests.at(-1)?.at(-1);
    assert.equal(last?.images?.length ?? 0, names.length);
    assert.equal(answer?.figures?.kind, names.length > 0 ? 'sent' : undefined);
    if (names.length > 0) assert.match(last?.content ?? '', /in this order: Figure \d, report\.pdf/);
  });

for (const [language, question, name, ...captions] of [
  [
    'Turkish',
    'Bu şekilde buğdayın verimi için ne var?',
    'Şekil 2',
    'Şekil 1: Arpa fiyatları.',
    'Şekil 2: Buğday verimleri.',
  ],
  [
    'German',
    'Was zeigt die Abbildung der Ernte und der Preise?',
    'Abb. 2',
    'Abb. 1: Lage.',
    'Abb. 2: Ernten.',
  ],
  [
    'Spanish',
    '¿Qué muestra la figura de las cosechas en los campos?',
    'Figura 2',
    'Figura 1: Precio medio.',
    'Figura 2: Cosecha, campo sur.',
  ],
] as const)
  test(`matches the words of a short caption in the language of the question: ${language}`, async () => {
    const text = captions.join('\n\n');
    const read = [makePassage({ id: 1, title: 'report.pdf', text })];
    const figures = await figuresInQuestion(question, read, passagesOf(text));
    assert.deepEqual(
      figures.map(({ figure }) => figure?.name),
      [name],
    );
  });

test('offers figures and sends none of them without consent', async () => {
  const model = scripted('Losses rise in winter [1].');
  const offered: FiguresOffered = {
    kind: 'offered',
    figures: [{ name: 'Figure 3', title: '', place: '' }],
    to: 'there',
  };
  const { answer } = await ask('What does Figure 3 show of the losses?', {
    model,
    passages,
    showFigures: () => Promise.resolve({ outcome: offered, images: [] }),
  });
  assert.deepEqual(answer?.figures, offered);
  assert.ok(model.requests.flat().every(({ images }) => images === undefined));
});

const modelAt = (server: OpenAIServer, differences: KnownDifferences): LanguageModel =>
  openAiModel({ name: 'scripted-1', temperature: 0.2, baseUrl: server.baseUrl, differences });

const readParts = (body: string): unknown =>
  (JSON.parse(body) as { messages: { content: unknown }[] }).messages.at(-1)?.content;

test('adds images to the last message, within their addresses', async (context) => {
  const server = await openAIServerFor(context, { reply: () => 'Losses rise in winter [1].' });
  const { answer, error } = await ask('What does Figure 3 show of the losses?', {
    model: modelAt(server, new Map()),
    passages,
    showFigures: shower([]),
  });
  assert.equal(error, undefined);
  assert.equal(answer?.figures?.kind, 'sent');
  const parts = readParts(server.chats.at(-1)!.body) as { type: string; image_url?: { url: string } }[];
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['text', 'image_url'],
  );
  assert.equal(parts[1]?.image_url?.url, 'data:image/png;base64,aGk=');
});

for (const [status, message] of [
  [400, 'Invalid content type. image_url is only supported by certain models.'],
  [422, 'Failed to deserialize: unknown variant `image_url`, expected `text`'],
  [500, 'image input is not supported - hint: you may need to provide the mmproj'],
  [404, 'No endpoints found that support image input'],
] as const)
  test(`asks an endpoint that rejects images again without them, and says so: ${String(status)}`, async (context) => {
    const server = await openAIServerFor(context, {
      reply: ({ body }) =>
        Array.isArray(readParts(body)) ? { status, message } : 'Losses rise in winter [1].',
    });
    const differences: KnownDifferences = new Map();
    const question = 'What does Figure 3 show of the losses?';
    const input = { model: modelAt(server, differences), passages, showFigures: shower([]) };
    const { answer, error } = await ask(question, input);
    assert.equal(error, undefined);
    assert.equal(answer?.figures?.kind, 'refused');
    assert.match(answer.text, /rise in winter/);
    const sent = server.chats.length;
    assert.equal((await ask(question, input)).answer?.figures?.kind, 'refused');
    assert.equal(server.chats.length, sent + 1);
  });

test('doesn’t blame images for a request that fails for another reason', async (context) => {
  const server = await openAIServerFor(context, { reply: () => ({ status: 401, message: 'No such key.' }) });
  const { error } = await ask('What does Figure 3 show of the losses?', {
    model: modelAt(server, new Map()),
    passages,
    showFigures: shower([]),
  });
  assert.match(String(error), /key/);
  assert.equal(server.chats.length, 1);
});
