// Makes conversations for page tests of the chat, and plays the extension's side of one.
import type { Answer, Citation, Quote, Statement, Turn } from '../../src/core/domain/answer.ts';
import type { CitationCard, HostApi, PanelState } from '../../src/features/chat/protocol.ts';
import { testCitation } from '../support/test-citation.ts';
import { sendChange, type HostScript, type NotifyingScript } from './page-host.ts';

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;
type QuotesAnswer = Extract<Answer, { kind: 'quotes' }>;

const WATERING = 'Tomatoes are watered every second morning with rainwater from the barrel behind the shed.';

/** Statement of a written answer; `missing` are the words that no source contains. */
interface StatementWords extends Partial<Omit<Statement, 'end' | 'missing' | 'start'>> {
  readonly text: string;
  readonly missing?: string;
}

/** Returns a turn whose question was answered after 900 ms. */
export function makeTurn(more: Partial<Turn> = {}): Turn {
  return {
    id: 'turn',
    question: 'How often are tomatoes watered?',
    askedAt: Date.UTC(2026, 4, 1),
    state: { kind: 'done', milliseconds: 900 },
    answer: undefined,
    ...more,
  };
}

/**
 * Makes a model's answer of text and statements in their order; each statement is supported by the first citation
 * unless it says otherwise.
 */
export function makeWrittenAnswer(
  parts: readonly (StatementWords | string)[],
  more: Partial<WrittenAnswer> = {},
): WrittenAnswer {
  let text = '';
  const statements: Statement[] = [];
  for (const part of parts) {
    const start = text.length;
    text += typeof part === 'string' ? part : part.text;
    if (typeof part !== 'string') statements.push(placeStatement(part, start));
  }
  return { kind: 'written', model: 'scripted-1', text, statements, citations: [testCitation()], ...more };
}

/** Returns a statement that begins at an offset of its answer's text, by default a quote of the first citation. */
export function placeStatement({ text, missing, ...more }: StatementWords, start: number): Statement {
  const from = start + (missing === undefined ? 0 : text.indexOf(missing));
  return {
    start,
    end: start + text.length,
    verdict: 'supported',
    ...(more.verdict === undefined && { signals: { isVerbatim: true } }),
    citations: more.verdict === 'not-found' ? [] : [0],
    ...(missing === undefined ? {} : { missing: [{ start: from, end: from + missing.length }] }),
    ...more,
  };
}

/** Returns an answer of top excerpts, each from its own section; `marked` are the matching words of an excerpt. */
export function makeExcerpts(
  excerpts: readonly { readonly text: string; readonly heading: string; readonly marked?: string }[],
  more: Partial<QuotesAnswer> = {},
): QuotesAnswer {
  return {
    kind: 'quotes',
    text: 'This is what your sources say.',
    quotes: excerpts.map(({ text, heading, marked }, citation): Quote => {
      const start = marked === undefined ? 0 : text.indexOf(marked);
      return {
        citation,
        format: 'markdown',
        languageId: undefined,
        around: {
          text,
          headings: [heading],
          marks: marked === undefined ? [] : [{ start, end: start + marked.length }],
          citations: [citation],
          goesOn: false,
        },
      };
    }),
    pages: [excerpts.length],
    citations: excerpts.map(({ text }, i) => testCitation({ number: i + 1, quote: text })),
    ...more,
  };
}

/** Makes a card that shows a sentence of a garden's source with some of its words marked. */
export function makeCard(more: Partial<CitationCard> = {}): CitationCard {
  return {
    title: 'garden.md',
    place: 'L3',
    text: WATERING,
    mark: { start: 0, end: 'Tomatoes are watered every second morning'.length },
    format: 'prose',
    languageId: undefined,
    doubtful: [],
    note: undefined,
    ...more,
  };
}

/** Makes the state of a chat about one source, with a model selected. */
export function makePanel(more: Partial<PanelState> = {}): PanelState {
  return {
    turns: [],
    earlier: 0,
    sources: { ready: 1, working: 0 },
    model: 'scripted-1',
    offersModel: false,
    semanticSearchOffer: undefined,
    factCheckOffer: undefined,
    factCheckFailure: undefined,
    scope: { kind: 'notebook' },
    citationChanges: [],
    ...more,
  };
}

interface Opening extends Partial<PanelState> {
  readonly draft?: string;
  /** Name of the file into which code can be inserted. */
  readonly insertTarget?: string;
}

/** Replies to a chat page like the extension for a state that doesn't change; `more` adds or replaces replies. */
export function chatHost(
  { draft = '', insertTarget, ...state }: Opening = {},
  more: HostScript<'chat'> | NotifyingScript<'chat'> = {},
): NotifyingScript<'chat'> {
  const done = (): undefined => undefined;
  return (remote) => ({
    ready: () => {
      sendChange(remote, undefined, makePanel(state));
      return { draft, insertTarget };
    },
    used: done,
    draftChanged: done,
    suggestions: () => [],
    mentionable: () => [],
    citationCard: () => makeCard(),
    ask: done,
    run: done,
    ...(typeof more === 'function' ? more(remote) : more),
  });
}

/** Makes the files that a question can mention. */
export function makeMentionable(...titles: readonly string[]): ReturnType<HostApi['mentionable']> {
  return titles.map((title) => ({ title, kind: 'file' }));
}

/** Makes citations that are numbered from 1, each of another line. */
export function numberedCitations(count: number, more: Partial<Citation> = {}): Citation[] {
  return Array.from({ length: count }, (_, i) =>
    testCitation({ number: i + 1, place: `L${String(i + 1)}`, ...more }),
  );
}
