/** Marks that begin reasoning, at the start of a text, and the marks that end it. */
interface ReasoningMarks {
  readonly opening: RegExp;
  readonly closing: RegExp;
}

const TAGS = '(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)';

const MARKS: readonly ReasoningMarks[] = [
  { opening: new RegExp(`^<${TAGS}(?:\\s[^<>\n]{0,40})?>`, 'i'), closing: new RegExp(`</${TAGS}>`, 'i') },
  { opening: /^\[think\]/i, closing: /\[\/think\]/i },
  { opening: /^◁think▷/i, closing: /◁\/think▷/i },
  // The channels of gpt-oss. Only the final one is the answer.
  {
    opening: /^<\|channel\|>(?!final)[^<\n]{0,80}<\|message\|>/,
    closing: /<\|(?:end|call)\|>|(?=<\|start\|>)|(?=<\|channel\|>)/,
  },
  // The same channels from a server that drops the special tokens.
  { opening: /^analysis(?=[A-Z])/, closing: /assistant(?:commentary)?final/ },
  { opening: /^<\|channel>thought/, closing: /<channel\|>/ },
  { opening: /^<unused94>thought/, closing: /<unused95>/ },
  { opening: /^<\|begin_of_thought\|>/, closing: /<\|end_of_thought\|>/ },
  { opening: /^<\|START_THINKING\|>/, closing: /<\|END_THINKING\|>/ },
  { opening: /^<\|inner_prefix\|>/, closing: /<\|inner_suffix\|>/ },
  { opening: /^here(?:’s|'s| is) my thought process:/i, closing: /here(?:’s|'s| is) my response:/i },
];

/** Marks before the answer that aren't part of it. */
const BEFORE_ANSWER =
  /^(?:<\|start\|>assistant|<\|channel\|>final[^<\n]{0,80}|<\|constrain\|>[a-z]{0,20}(?=<)|<\|message\|>|<\|begin_of_solution\|>|<\|START_RESPONSE\|>|<\|END_THINKING\|>)/;

/** Beginnings that can turn out to be one of these marks. */
const MAY_OPEN = /^(?:<[^>\n]{0,80}|<\|[^\n]{0,80}|\[[a-z]{0,5}|◁[^▷\n]{0,8})?$/i;
const OPENING_WORDS = [
  'analysis',
  'here is my thought process:',
  'here’s my thought process:',
  "here's my thought process:",
];

/** Marks within an answer: of reasoning that was not opened, that follows a first sentence, or of the answer's end. */
const WITHIN = new RegExp(
  `<(/?)${TAGS}>|\\[(/?)think\\]|◁(/?)think▷|<\\|channel\\|>final[^<\\n]{0,80}<\\|message\\|>|<\\|end_of_thought\\|>|<\\|END_THINKING\\|>|<\\|[a-z_]{1,30}\\|>|</?answer>|<｜end▁of▁sentence｜>|</s>|<end_of_turn>`,
  'i',
);
/** Tokens that end a reply, which some servers pass on. */
const END_TOKEN =
  /^(?:<\|(?:im_end|eot_id|eom_id|end|return|end_of_text|endoftext)\|>|<｜end▁of▁sentence｜>|<\/s>|<end_of_turn>)$/i;
const MAY_BE_WITHIN = /(?:[<[◁][^<>[\]◁▷\n]{0,40}|<\|channel\|>final[^\n]{0,90})$/i;

/** Number of code units that are held because a mark may begin in them. */
const MAX_MARK_LENGTH = 100;

/**
 * Yields the pieces of a reply without the reasoning that some models write between marks. Some servers leave out the
 * first mark, so that the reasoning turns out as such only at its end: then `onRestart` is called, and the answer
 * begins again. Without `onRestart`, the whole answer is one piece, which also arrives if the reply fails.
 */
export async function* withoutThinking(
  pieces: AsyncIterable<string>,
  onRestart?: () => void,
): AsyncIterable<string> {
  if (onRestart !== undefined) {
    yield* filterThinking(pieces, onRestart);
    return;
  }
  let answer = '';
  let failure: { readonly error: unknown } | undefined;
  const restart = (): void => {
    answer = '';
  };
  try {
    for await (const piece of filterThinking(pieces, restart)) answer += piece;
  } catch (error) {
    failure = { error };
  }
  if (answer !== '') yield answer;
  if (failure !== undefined) throw failure.error;
}

async function* filterThinking(pieces: AsyncIterable<string>, onRestart: () => void): AsyncIterable<string> {
  const filter = new ReasoningFilter(onRestart);
  for await (const piece of pieces) {
    const answer = filter.push(piece);
    if (answer !== '') yield answer;
  }
  const answer = filter.end();
  if (answer !== '') yield answer;
}

class ReasoningFilter {
  readonly #onRestart: () => void;
  #state: 'answer' | 'reasoning' | 'start' = 'start';
  #held = '';
  #closing = /(?:)/;
  /** Reasoning within an answer so far, with its mark; it's part of the answer if it never ends. */
  #unclosed: string | undefined;
  #hasReasoned = false;
  /** Last line of the answer, and whether it's within a code block. */
  #line = '';
  #isFenced = false;

  constructor(onRestart: () => void) {
    this.#onRestart = onRestart;
  }

  push(piece: string): string {
    this.#held += piece;
    return this.#advance(false);
  }

  end(): string {
    return this.#advance(true);
  }

  #advance(isEnd: boolean): string {
    let answer = '';
    for (;;) {
      if (this.#state === 'start') {
        if (!this.#begin(isEnd)) return answer;
      } else if (this.#state === 'reasoning') {
        const closing = this.#closing.exec(this.#held);
        if (closing === null) {
          const unclosed = this.#unclosed;
          if (!isEnd) {
            if (unclosed !== undefined) this.#unclosed = unclosed + this.#held.slice(0, -MAX_MARK_LENGTH);
            this.#held = this.#held.slice(-MAX_MARK_LENGTH);
          } else if (unclosed !== undefined) answer += this.#emit(unclosed + this.#held);
          return answer;
        }
        this.#held = this.#held.slice(closing.index + closing[0].length);
        this.#hasReasoned = true;
        this.#state = this.#unclosed === undefined ? 'start' : 'answer';
        this.#unclosed = undefined;
      } else {
        const markMatch = WITHIN.exec(this.#held);
        if (markMatch === null) {
          const tail = isEnd ? '' : (MAY_BE_WITHIN.exec(this.#held)?.[0] ?? '');
          answer += this.#emit(this.#held.slice(0, this.#held.length - tail.length));
          this.#held = tail;
          return answer;
        }
        const [mark, ...slashes] = markMatch;
        answer += this.#emit(this.#held.slice(0, markMatch.index));
        const rest = this.#held.slice(markMatch.index + mark.length);
        this.#held = mark + rest;
        // The next letter can show that the mark is only mentioned.
        if (rest.trim() === '' && !isEnd) return answer;
        this.#held = rest;
        if (END_TOKEN.test(mark)) {
          const isLast = rest.trim() === '' && /\S$/.test(this.#line) && !this.#isInCode();
          answer += isLast || (mark.startsWith('<|') && this.#hasReasoned) ? '' : this.#emit(mark);
        } else answer = this.#passMark(mark, slashes.includes('/'), answer);
      }
    }
  }

  /** Passes over marks at the beginning; returns `false` if more has to arrive. */
  #begin(isEnd: boolean): boolean {
    const text = this.#held.trimStart();
    const before = BEFORE_ANSWER.exec(text) ?? (this.#hasReasoned ? /^<answer>/i.exec(text) : null);
    if (before !== null) {
      this.#hasReasoned = true;
      this.#held = text.slice(before[0].length);
      return true;
    }
    for (const { opening, closing } of MARKS) {
      const openingMatch = opening.exec(text);
      if (openingMatch === null) continue;
      this.#state = 'reasoning';
      this.#closing = closing;
      this.#held = text.slice(openingMatch[0].length);
      return true;
    }
    const words = text.toLowerCase();
    if (!isEnd && (MAY_OPEN.test(text) || OPENING_WORDS.some((opening) => opening.startsWith(words))))
      return false;
    if (this.#hasReasoned) this.#held = text;
    this.#state = 'answer';
    return true;
  }

  /** Returns the answer so far after a mark within it. */
  #passMark(mark: string, isClosing: boolean, answer: string): string {
    const isTag = mark.startsWith('<') && !mark.startsWith('<|');
    const isFinal = /^<\|(?:channel|end_of_thought|end_thinking)/i.test(mark);
    if (this.#isInCode() || (isTag && !/answer/i.test(mark) && !this.#isBetweenSentences()))
      return answer + this.#emit(mark);
    if ((isClosing && !/answer/i.test(mark)) || isFinal) {
      this.#state = 'start';
      this.#hasReasoned = true;
      this.#line = '';
      this.#onRestart();
      return '';
    }
    // A token of the model's format isn't part of the answer.
    if (/^(?:<\|)|answer/i.test(mark)) return this.#hasReasoned ? answer : answer + this.#emit(mark);
    this.#state = 'reasoning';
    this.#unclosed = mark;
    this.#closing = MARKS.find(({ opening }) => opening.test(mark))?.closing ?? this.#closing;
    return answer;
  }

  #isInCode(): boolean {
    return this.#isFenced || this.#line.split('`').length % 2 === 0;
  }

  /** Reports whether a mark here is more than a word of a sentence about such marks. */
  #isBetweenSentences(): boolean {
    return (
      this.#line.trim() === '' ||
      /[.!?…:;)\]"'”’*。！？]\s*$/.test(this.#line) ||
      /^[ \t]*(?:\n|$)/.test(this.#held)
    );
  }

  #emit(text: string): string {
    const lines = text.split('\n');
    for (const [i, line] of lines.entries()) {
      this.#line += line;
      if (i === lines.length - 1) break;
      if (/^\s{0,3}(?:```|~~~)/.test(this.#line)) this.#isFenced = !this.#isFenced;
      this.#line = '';
    }
    return text;
  }
}
