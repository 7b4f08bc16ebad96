// Compares the token estimate with real tokenizers: those of GPT-3.5 and 4, of GPT-4o, and of Llama 2, whose
// vocabulary is among the smallest.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base';
import llama from 'llama-tokenizer-js';
import { buildPrompt } from '../../src/answers/writing/prompt.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { assertLinear } from '../support/growth.ts';
import { root } from '../support/paths.mjs';
import { makePassage } from './answering-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

const WINDOW = 4096;

function read(pattern: string): string {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n\n');
}

const numbers = Array.from({ length: 2000 }, (_, i) => (((i * 7919) % 100_003) / 7).toFixed(3)).join(', ');
const rows = Array.from({ length: 800 }, (_, i) => `2026-03-1${String(i % 9)},${String(i * 37)},Berlin,2.5`);

const kinds: Readonly<Record<string, string>> = {
  'the README': read('README.md'),
  'English questions': read('test/fixtures/questions/*.txt'),
  TypeScript: read('src/platform/**/*.ts'),
  CSS: read('webview/*/*.css'),
  JSON: read('package.json'),
  'a page of HTML': read('test/fixtures/reading/article.html'),
  numbers,
  'rows of a table': rows.join('\n'),
  'a Markdown table': '| tomato | 2 | every second morning |\n'.repeat(400),
  capitals: 'THE TOMATOES ARE WATERED EVERY SECOND MORNING WITH RAINWATER. '.repeat(200),
  'bytes in base 64': Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 251)).toString(
    'base64',
  ),
  emoji: '😀👍🏽🎉 yes 👩‍👩‍👧 '.repeat(400),
  ...Object.fromEntries(
    globSync('test/fixtures/languages/*.txt', { cwd: root })
      .sort()
      .map((path) => [path.replace(/^.*[\\/]|\.txt$/g, ''), read(path).repeat(12)]),
  ),
};

/** Returns the larger token count of two tokenizers that are similar to current ones. */
const count = (text: string): number => Math.max(countOlder(text), countNewer(text));

/** Returns the prompt that is sent for short passages of one kind that fill a context window. */
function makePrompt(text: string): string {
  const pieces = text.match(/[\s\S]{1,300}/gu) ?? [];
  const passages = pieces
    .slice(0, 120)
    .map((piece, i) => makePassage({ id: i + 1, title: 'T', text: piece }));
  const { messages } = buildPrompt({
    question: 'Why?',
    history: [],
    instructions: '',
    passages,
    windowTokens: WINDOW,
  });
  return messages.map(({ content }) => content).join('\n');
}

test('fits every prompt into the context window, and wastes over 15 % of it in few', () => {
  // A quarter is reserved for the answer.
  const room = 0.75 * WINDOW;
  const wasteful: string[] = [];
  for (const [kind, text] of Object.entries(kinds)) {
    const tokens = count(makePrompt(text));
    assert.ok(tokens <= room, `${kind}: ${String(tokens)} of ${String(room)}`);
    if (tokens < 0.85 * room && count(text) > room)
      wasteful.push(`${kind}: ${String(tokens)} of ${String(room)}`);
  }
  assert.ok(wasteful.length <= 0.15 * Object.keys(kinds).length, wasteful.join('; '));
});

test('fits a prompt into the context window even with the smallest vocabulary', () => {
  // This vocabulary splits these signs and numbers into bytes, and nobody asks about such texts.
  const without = new Set(['numbers', 'rows of a table', 'emoji', 'korean', 'capitals']);
  for (const [kind, text] of Object.entries(kinds)) {
    if (without.has(kind)) continue;
    const tokens = llama.encode(makePrompt(text)).length;
    assert.ok(tokens <= WINDOW, `${kind}: ${String(tokens)} of ${String(WINDOW)}`);
  }
});

test('estimates any text in linear time', () => {
  for (const piece of ['aB', 'a', ' ', '=', '1'])
    assertLinear((times) => estimateTokens(`${piece.repeat(times)}!`), 2_000);
  assert.equal(estimateTokens(''), 0);
});

test('counts millions of characters without a space', () => {
  for (const piece of ['a', 'A', '1', 'a1', '!', '!?', 'ж', '漢', 'e\u0301', ' ', '\n'])
    assert.ok(estimateTokens(piece.repeat(rounds(1_000_000, 6_000_000))) > 0, JSON.stringify(piece));
});
