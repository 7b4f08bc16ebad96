// A child process that reads, splits, indexes, searches, saves, and draws hostile texts, and reports the processor
// time of each step. Each line of its input is a `HostileRequest`. It ends when the input ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isFollowUp } from '../../src/core/language/follow-ups.ts';
import { carriedWords } from '../../src/answers/question/understand.ts';
import { itemPointedAt } from '../../src/answers/question/pointed-item.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import type { Answer, Turn } from '../../src/core/domain/answer.ts';
import { answerAsMarkdown, conversationAsMarkdown } from '../../src/core/domain/answer-markdown.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { answerAsNote, lastNumber, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import { noteTitle } from '../../src/core/domain/note.ts';
import { suggestedQuestions } from '../../src/core/domain/suggestions.ts';
import { titleOfText } from '../../src/features/sources/model/text-title.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { annotate } from '../../webview/shared/annotate.ts';
import { extendBlocks, parseBlocks } from '../../webview/shared/blocks.ts';
import { colorCodeBlocks } from '../../webview/shared/code-colors.ts';
import { makeNotebook, makePassage } from '../unit/answering-fixtures.ts';
import { finalAnswer, collectEvents, scripted } from '../unit/answering-asking.ts';
import { hostileText } from './hostile-texts.ts';

export interface HostileRequest {
  /** Length of each text, in UTF-16 code units. */
  readonly length: number;
  /** Kinds of texts, each with the steps that are measured, or with none to measure all. */
  readonly work: readonly (readonly [kind: string, steps: readonly string[]])[];
}

/** A line of the output: a step that begins or has ended. An empty line follows the last step of a request. */
export interface HostileStep {
  readonly kind: string;
  readonly step: string;
  /** Processor time of the thread, in milliseconds; undefined at the start of a step. */
  readonly time?: number;
}

const silent = { indexing: () => undefined, resplitting: () => undefined };
const question = 'What is the harbour of the coast, and how does it work?';
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Files that contain a text, one in each possible format. */
const files: Readonly<Record<string, (text: string) => string>> = {
  'a.txt': (text) => text,
  'a.md': (text) => text,
  'a.html': (text) =>
    `<!doctype html><title>${text.slice(0, 5000)}</title><article><h1>Harbour</h1><p>${text}`,
  'a.csv': (text) => text,
  'a.ipynb': (text) =>
    JSON.stringify({ cells: [{ cell_type: 'markdown', source: [text] }], metadata: {}, nbformat: 4 }),
  'a.py': (text) => text,
  'a.lua': (text) => text,
  'a.json': (text) => text,
  'a.srt': (text) => `1\n00:00:01,000 --> 00:00:02,000\n${text}`,
  'a.eml': (text) => `From: a@example.org\nSubject: ${text.slice(0, 500)}\n\n${text}`,
  'a.rtf': (text) => `{\\rtf1 ${text}}`,
  'a.svg': (text) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}`,
};

async function workOn(kind: string, text: string, wanted: readonly string[]): Promise<void> {
  /** @param isNeeded `true` if later steps use the result, so that the step runs even if it isn't measured */
  const measure = async <T>(
    step: string,
    action: () => T | Promise<T>,
    isNeeded = false,
  ): Promise<T | undefined> => {
    if (wanted.length > 0 && !wanted.includes(step)) return isNeeded ? await action() : undefined;
    reportStep({ kind, step });
    const before = process.threadCpuUsage();
    const result = await action();
    const { user, system } = process.threadCpuUsage(before);
    reportStep({ kind, step, time: (user + system) / 1000 });
    return result;
  };
  const documents: ReadDocument[] = [];
  for (const [name, written] of Object.entries(files)) {
    const bytes = encode(written(text));
    const isUsed = ['a.txt', 'a.md', 'a.py'].includes(name);
    const document = await measure(`reading ${name}`, () => read(bytes, name), isUsed);
    if (document !== undefined && isUsed) documents.push(document);
  }
  for (const [i, document] of documents.entries()) {
    const name = `${document.format} ${String(i)}`;
    const key = `${String(i)}.md`;
    await measure(
      `indexing ${name}`,
      () =>
        index.putDocument(source.id, {
          ...{ key, uri: '', hash: '', size: text.length, modifiedAt: 0 },
          document,
        }),
      true,
    );
    const { format } = document;
    const about = cutPieces(document.text, 4000).map(
      (piece) => `The harbour of the coast works.\n${piece}\n`,
    );
    const input = { id: 1, title: text.slice(0, 200), text: about.join(''), format };
    const passages = about.map((piece, n) => {
      const start = about.slice(0, n).join('').length;
      return { ...makePassage(input, { start, end: start + piece.length }), passageId: n };
    });
    await measure(`splitting ${name}`, () => splitDocument(document, { size: 5000, overlap: 50 }));
    const finder = {
      ...makeNotebook([input]),
      find: () => Promise.resolve(passages),
      gather: () => Promise.resolve({ passages, isAll: false }),
    };
    await measure(`asking ${name}`, () => collectEvents(question, { passages: finder }));
    await measure(`summing up ${name}`, () => collectEvents('Summarize this', { passages: finder }));
    const model = scripted('The harbour is [1] there. ', ...cutPieces(text, 1000), ' So it is [1].');
    const answered = await measure(
      `answering from ${name}`,
      () => collectEvents('What is the harbour?', { passages: finder, model }),
      i === 0,
    );
    // Every turn has the same reply, which is saved and exported once. The events arrive one by one, as the model
    // writes.
    const answer = i === 0 && answered !== undefined ? finalAnswer(answered.events) : undefined;
    if (answer !== undefined) await noting(measure, answer, text);
    await measure(`suggestions of ${name}`, () =>
      suggestedQuestions([{ documentId: 1, title: text.slice(0, 300), headings: document.headings }]),
    );
  }
  await measure('searching', () => index.passageSearch.search(text, 8));
  await measure('placing', () => index.passageSearch.places({ words: text }));
  await measure('placing a question', () =>
    index.passageSearch.places({ words: `${question} ${text.slice(0, 200)}` }),
  );
  await measure('a hostile question', () => collectEvents(text));
  await measure('a hostile question about it', () => collectEvents(`${text} What is it?`));
  await measure('going on from it', () => {
    const history = [{ question: text, answer: text }];
    for (const question of ['How does the second one work?', 'Why?', text]) {
      isFollowUp(question);
      carriedWords(question, history);
      itemPointedAt(question, text);
    }
  });
  await measure('titles', () => [titleOfText(text), noteTitle(text)]);
  await measure('a note', () => [citationLinks(text), lastNumber(text), noteAsMarkdown(text, [])]);
  await measure('drawing', () => {
    for (const { tree, source, start, end } of parseBlocks(text).blocks)
      annotate(colorCodeBlocks(tree), source, [
        { start, end, wrap: { tagName: 'mark', properties: {} }, after: undefined },
      ]);
  });
  await measure('drawing while it grows', () => {
    extendBlocks(extendBlocks(parseBlocks(''), text.slice(0, text.length / 2)), text);
  });
}

type Measure = (step: string, action: () => unknown) => Promise<unknown>;

async function noting(measure: Measure, answer: Answer, text: string): Promise<void> {
  const turn: Turn = {
    id: '1',
    question: text,
    askedAt: 0,
    state: { kind: 'done', milliseconds: 1 },
    answer,
  };
  await measure('noting an answer', () => answerAsNote(text, answer, 'footnote'));
  await measure('exporting an answer', () => [
    answerAsMarkdown(answer, 'footnote'),
    conversationAsMarkdown(text, [turn], 'footnote'),
  ]);
}

function cutPieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

async function read(bytes: Uint8Array, name: string): Promise<ReadDocument | undefined> {
  try {
    return await readDocument({ bytes, name, minimumLength: 1 }, {});
  } catch (error) {
    if (error instanceof NotebookError) return undefined;
    throw error;
  }
}

function reportStep(step: HostileStep): void {
  process.stdout.write(`${JSON.stringify(step)}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const { index } = await NotebookIndex.open(folder, { size: 1500, overlap: 50 }, silent);
// The documents of one kind replace those of the previous one.
const source = await index.addSource('Notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
for await (const line of createInterface(process.stdin)) {
  const { length, work } = JSON.parse(line) as HostileRequest;
  for (const [kind, steps] of work) await workOn(kind, hostileText(kind, length), steps);
  process.stdout.write('\n');
}
await index.close();
rmSync(folder, { recursive: true, force: true });
