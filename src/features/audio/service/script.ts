import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Root, RootContent } from 'hast';
import { headingOfLine } from '../../../core/language/markdown-lines.ts';
import { markdownToHast } from '../../../core/language/markdown/markdown-tree.ts';
import { cutSentences } from '../../../core/language/sentences.ts';
import { removeCitations } from '../../../core/domain/citation-links.ts';
import { parseTurn, type Turn } from '../../artifacts/service/is-script.ts';

/** Maximum length of a request to an endpoint, in UTF-16 code units. OpenAI accepts 4,096 characters. */
const MAX_SEGMENT_LENGTH = 1_500;

/** Text that one voice speaks without a break. */
export interface Segment {
  /** Speaker as written in the script. */
  readonly speaker: string;
  /** Index of the voice: 0 for the first speaker, 1 for the next. */
  readonly voice: number;
  /** Plain words, without Markdown and without citations. */
  readonly text: string;
}

/** Segments under one heading. */
export interface Chapter {
  readonly title: string;
  readonly segments: readonly Segment[];
}

/**
 * Splits a script into chapters at its headings, without chapters in which nobody speaks. Ada says a paragraph such as
 * `**Ada:** Why rainwater?`, and the paragraphs below it up to the next turn or heading. Text before the first turn
 * isn't spoken.
 */
export async function readScript(note: string): Promise<Chapter[]> {
  let turns: Turn[] = [];
  const chapters = [{ title: '', turns }];
  let isSpoken = false;
  for (const block of removeCitations(note).split(/\n[^\S\n]*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    if (headingOfLine(lines[0] ?? '') !== undefined) {
      chapters.push({ title: lines.shift() ?? '', turns: (turns = []) });
      isSpoken = false;
    }
    for (const line of lines) {
      const turn = parseTurn(line);
      const last = turns.at(-1);
      if (turn !== undefined) turns.push(turn);
      else if (isSpoken && last !== undefined)
        turns[turns.length - 1] = { ...last, markdown: `${last.markdown}\n${line}` };
      isSpoken ||= turn !== undefined;
    }
  }
  const voices = new Map<string, number>();
  const read: Chapter[] = [];
  for (const { title, turns: said } of chapters) {
    const segments: Segment[] = [];
    for (const { speaker, markdown } of said) {
      const voice = voices.get(speaker) ?? voices.size;
      voices.set(speaker, voice);
      await yieldToOthers();
      for (const text of inSegments(plainWords(markdown))) segments.push({ speaker, voice, text });
    }
    if (segments.length > 0) read.push({ title: plainWords(title), segments });
  }
  return read;
}

/** Converts Markdown to plain words in one line. Images and formulas become their text. */
function plainWords(markdown: string): string {
  return wordsIn(markdownToHast(markdown)).replaceAll(/\s+/g, ' ').trim();
}

function wordsIn(node: Root | RootContent): string {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  const tex = 'properties' in node ? node.properties['tex'] : undefined;
  if (typeof tex === 'string') return tex;
  const words = node.children.map(wordsIn).join('');
  // Separate the words of neighboring paragraphs and items.
  return node.type === 'element' && /^(?:p|li|h\d|td|th|br)$/.test(node.tagName) ? `${words}\n` : words;
}

/** Splits text into whole sentences, as many as fit in one request. A longer sentence is cut at a space. */
function inSegments(text: string): string[] {
  const segments: string[] = [];
  for (const { start, end } of cutSentences(text)) {
    let sentence = text.slice(start, end).trim();
    while (sentence.length > MAX_SEGMENT_LENGTH) {
      const space = sentence.lastIndexOf(' ', MAX_SEGMENT_LENGTH);
      const cut = space > MAX_SEGMENT_LENGTH / 2 ? space : wholeCharacters(sentence, MAX_SEGMENT_LENGTH);
      segments.push(sentence.slice(0, cut));
      sentence = sentence.slice(cut).trim();
    }
    const last = segments.at(-1);
    if (last !== undefined && last.length + 1 + sentence.length <= MAX_SEGMENT_LENGTH)
      segments[segments.length - 1] = `${last} ${sentence}`;
    else if (sentence !== '') segments.push(sentence);
  }
  return segments;
}

function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
