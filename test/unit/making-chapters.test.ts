import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatMessage, LanguageModel } from '../../src/answers/models/language-model.ts';
import { estimateChapters, proposeChapters } from '../../src/features/recordings/service/propose-chapters.ts';
import { transcript } from '../../src/parsers/recordings/transcript.ts';

const SENTENCES = [
  'The ferry leaves the harbor at nine and returns at noon.',
  'Tickets for the ferry cost four euros, and children travel free.',
  'The pump of the well was repaired in March by a plumber.',
  'Its new valve holds twice the pressure of the old pump.',
];

/** Returns a talk with a sentence for every 30 seconds. */
function talk(sentences: readonly string[]): ReturnType<typeof transcript> {
  let text = '';
  const parts = sentences.map((sentence, i) => {
    const part = { start: text.length, from: 30 * i, to: 30 * i + 25 };
    text += `${sentence}\n`;
    return part;
  });
  return transcript(text, parts);
}

function makeModel(
  reply: (messages: readonly ChatMessage[]) => string,
  windowTokens?: number,
): LanguageModel {
  return {
    name: 'Scripted',
    windowTokens,
    async *stream(messages) {
      yield await Promise.resolve(reply(messages));
    },
  };
}

const options = (model: LanguageModel): Parameters<typeof proposeChapters>[1] => ({
  model,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

describe('chapters that a model proposes', () => {
  test('count if their time and their words are in the transcript', async () => {
    let shown = '';
    const model = makeModel((messages) => {
      shown = messages.at(-1)?.content ?? '';
      return [
        'Here are the chapters:',
        '0:00 The ferry and its harbor',
        '- [01:00] **Repairing the pump**',
        '1:01 A time that is no line',
        '1:30 Elephants in Kenya',
        '7:00 The ferry after the end',
        '0:30',
      ].join('\n');
    });
    assert.deepEqual(await proposeChapters(talk(SENTENCES), options(model)), [
      { from: 0, title: 'The ferry and its harbor' },
      { from: 60, title: 'Repairing the pump' },
    ]);
    assert.match(shown, /\[1:00\] The pump of the well was repaired/);
  });

  test('are none if the reply has none, or the transcript is empty', async () => {
    const model = makeModel(() => 'I can’t do that.');
    assert.deepEqual(await proposeChapters(talk(SENTENCES), options(model)), []);
    assert.deepEqual(await proposeChapters(talk([]), options(model)), []);
    assert.deepEqual(estimateChapters(talk([]), model), { requests: 0, input: 0, output: 0 });
  });

  test('come from several requests if the transcript is long', async () => {
    const long = talk(Array.from({ length: 400 }, (_, i) => SENTENCES[i % 4] ?? ''));
    const progress: number[] = [];
    const model = makeModel((messages) => {
      const [time] = /\d+(?::\d\d)+/.exec(messages.at(-1)?.content.split('[')[1] ?? '') ?? [];
      return `${String(time)} The ferry and the pump`;
    }, 8_192);
    const { requests, input } = estimateChapters(long, model);
    assert.ok(input > 6_000 && input < 12_000, String(input));
    assert.ok(requests > 1);
    const chapters = await proposeChapters(long, {
      ...options(model),
      onProgress: (done) => progress.push(done),
    });
    assert.equal(chapters.length, requests);
    assert.deepEqual(
      progress,
      Array.from({ length: requests }, (_, i) => i),
    );
    assert.ok(chapters.every(({ from }, i) => i === 0 || from > (chapters[i - 1]?.from ?? 0)));
  });
});
