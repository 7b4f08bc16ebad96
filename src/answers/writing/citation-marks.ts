import { LineScanner, openedFence } from '../../core/language/markdown-lines.ts';
import { streamedSentences, type MarkedSentence } from '../../core/language/streamed-sentences.ts';

/** Result of reading more of a reply: text without citation marks, and the newly completed sentences. */
interface MarkedText {
  readonly text: string;
  readonly sentences: readonly MarkedSentence[];
}

interface CitationMarkReader {
  push(delta: string): MarkedText;
  /** Ends the reply. */
  end(): MarkedText;
}

/** Position of the reader in the reply's Markdown; `mark` is the opening mark of inline code or of a code block. */
type Mode =
  | { readonly kind: 'code'; readonly mark: string }
  | { readonly kind: 'fence'; readonly mark: string }
  | { readonly kind: 'text' };

const NUMBER = String.raw`\^?(?:(?:passages?|sources?)\s*)?\d{1,3}`;
const LIST = String.raw`${NUMBER}(?:\s*(?:[,;–-]|and|&)\s*${NUMBER})*`;
const MARK = new RegExp(String.raw`^(?:\[${LIST}\]|【${LIST}(?:†[^】]*)?】)$`, 'i');
const BRACKET_PART = /^(?:\[[\w\s,;–\-&^]{0,40}|【[^】\n]{0,40})$/;
const MARKS = String.raw`[\[【]${LIST}[\]】](?:\s*(?:(?:[,;&]|and)\s*)?[\[【]${LIST}[\]】])*`;
const LEADS = ['see', 'see also', 'cf.', 'cf', 'from', 'per', 'source', 'sources', 'passage', 'passages'];
const PARENTHESIS = new RegExp(
  String.raw`^\((?:(?:${LEADS.map((lead) => lead.replace('.', '\\.')).join('|')})\s*(?::\s*)?)?${MARKS}\)$`,
  'i',
);
const PARENTHESIS_PART = /^\([\w\s,;–\-&^.:[\]【】]{0,60}$/;
const PUNCTUATION = /[.,;:!?)\]}…。，、；：！？）」』”’"*_]/u;

/**
 * Reads a streamed reply and removes its citation marks: `[1]`, `[1, 2]`, `[1-3]`, `[1][2]`, `【1】`, `[^1]`, and `(see
 * [1])`, but nothing in code and no Markdown links. It reads the reply character by character, so that the result
 * doesn't depend on the stream's chunks. Passages are numbered from 1 to `passageCount`.
 */
export function readCitationMarks(passageCount: number): CitationMarkReader {
  const sentences = streamedSentences();
  let emitted = '';
  let mode: Mode = { kind: 'text' };
  const scanner = new LineScanner();
  /** Current line so far. */
  let line = '';
  /** A run of backticks or tildes that may open or close code. */
  let run = '';
  let atLineStart = true;
  let blankLine = true;
  /** White space held back until the next characters show whether a mark and then punctuation follow. */
  let spaces = '';
  let afterMark = false;
  /** Beginning of a possible citation mark. */
  let candidate = '';
  let previous = '';

  const emit = (text: string): void => {
    if (text === '') return;
    emitted += text;
    sentences.append(text);
  };

  const drop = (mark: string): void => {
    sentences.mark(readNumbers(mark, passageCount));
    afterMark = true;
    previous = ' ';
  };

  /** Processes a run, which can only be interpreted at its end. */
  const endRun = (): void => {
    const isOfBackticks = run.startsWith('`');
    // A line that seemed to open a block contains inline code: "```npm i x```".
    if (mode.kind === 'fence' && scanner.fence === undefined && isOfBackticks && mode.mark.startsWith('`'))
      mode = { kind: 'code', mark: mode.mark };
    if (mode.kind === 'text') {
      const { mark } = openedFence(line) ?? {};
      if (mark === run) mode = { kind: 'fence', mark };
      else if (isOfBackticks) mode = { kind: 'code', mark: run };
    } else if (mode.kind === 'code' && run === mode.mark) mode = { kind: 'text' };
    run = '';
  };

  /** Processes the end of a line, which may open or close a block of code. */
  const endLine = (): void => {
    scanner.take(line);
    line = '';
    const { mark } = scanner.fence ?? {};
    if (mark !== undefined) mode = { kind: 'fence', mark };
    else if (mode.kind === 'fence') mode = { kind: 'text' };
  };

  /** Reports whether the character belongs to a run of backticks or, at the start of a line, tildes. */
  const continuesRun = (character: string): boolean =>
    run === '' ? character === '`' || (character === '~' && atLineStart) : previous === character;

  const feedRun = (character: string): void => {
    if (run === '') {
      emit(spaces);
      spaces = '';
      afterMark = false;
    }
    run += character;
    line += character;
    emit(character);
    atLineStart = false;
    blankLine = false;
    previous = character;
  };

  const feedPlain = (character: string): void => {
    if (character !== '\n') line += character;
    if (character === '\n') {
      if (!afterMark) emit(spaces);
      spaces = '';
      afterMark = false;
      // An inline code span ends with its paragraph at the latest.
      if (mode.kind === 'code' && blankLine) mode = { kind: 'text' };
      emit(character);
      endLine();
      atLineStart = true;
      blankLine = true;
    } else if (mode.kind === 'text' && (character === ' ' || character === '\t')) {
      if (!afterMark) spaces += character;
      else if (!atLineStart) {
        spaces = character;
        afterMark = false;
      }
    } else {
      if (!afterMark || !PUNCTUATION.test(character)) emit(spaces);
      spaces = '';
      afterMark = false;
      emit(character);
      if (!/[\s>]/.test(character)) {
        atLineStart = false;
        blankLine = false;
      }
    }
    previous = character;
  };

  const feed = (character: string): void => {
    if (candidate !== '') {
      feedCandidate(character);
      return;
    }
    if (continuesRun(character)) {
      feedRun(character);
      return;
    }
    if (run !== '') endRun();
    // A reply never begins with white space.
    if (emitted === '' && spaces === '' && /\s/.test(character)) return;
    const opens =
      character === '[' || character === '【' || (character === '(' && !/[\p{L}\p{N}_]/u.test(previous));
    if (mode.kind === 'text' && opens && previous !== '\\') candidate = character;
    else feedPlain(character);
  };

  const feedCandidate = (character: string): void => {
    const closed = MARK.test(candidate) && !/^[[【]0+[\]】]$/.test(candidate);
    if (closed) {
      const isLink = character === '(' || (character === ':' && atLineStart);
      const mark = candidate;
      if (isLink) {
        release(character);
        return;
      }
      candidate = '';
      drop(mark);
      feed(character);
      return;
    }
    const longer = candidate + character;
    if (MARK.test(longer) && !/^[[【]0+[\]】]$/.test(longer)) candidate = longer;
    else if (PARENTHESIS.test(longer)) {
      candidate = '';
      drop(longer);
    } else if (BRACKET_PART.test(longer) || (PARENTHESIS_PART.test(longer) && leadsOn(longer)))
      candidate = longer;
    else release(character);
  };

  /** Releases a rejected mark: its first character is text, and the rest is read again. */
  const release = (next: string): void => {
    const rejected = candidate;
    candidate = '';
    feedPlain(rejected.slice(0, 1));
    for (const character of rejected.slice(1) + next) feed(character);
  };

  const take = (ended: boolean): MarkedText => {
    const text = emitted.slice(readLength);
    readLength = emitted.length;
    return { text, sentences: sentences.take(ended) };
  };
  let readLength = 0;

  return {
    push(delta) {
      for (let i = 0; i < delta.length; i++) feed(delta.charAt(i));
      return take(false);
    },
    end() {
      while (candidate !== '') {
        if (MARK.test(candidate)) {
          drop(candidate);
          candidate = '';
        } else release('');
      }
      spaces = '';
      return take(true);
    },
  };
}

/** Reports whether the text after an opening parenthesis can still become an introduction of a mark. */
function leadsOn(parenthesis: string): boolean {
  const words = /^\(\s*([\p{L}.][\p{L}. ]*)?/u.exec(parenthesis)?.[1]?.trimEnd().toLowerCase();
  return words === undefined || LEADS.some((lead) => lead.startsWith(words));
}

function readNumbers(mark: string, passageCount: number): number[] {
  const numbers = new Set<number>();
  const cleaned = mark.replace(/†[^】]*/g, '');
  for (const match of cleaned.matchAll(/(\d+)(?:\s*[–-]\s*\^?(\d+))?/g)) {
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    for (let number = first; number <= Math.min(last, passageCount); number++)
      if (number >= 1) numbers.add(number);
    if (last < first && last >= 1) numbers.add(last);
  }
  return [...numbers].filter((number) => number <= passageCount);
}
