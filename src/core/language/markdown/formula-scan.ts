export interface FormulaOptions {
  /** `true` if more text may follow, so that a formula can still lack its closing mark. */
  readonly isGrowing: boolean;
  /** `true` if a backslash before a bracket is an escape, as in generated Markdown, unless a TeX command follows. */
  readonly isEscaped: boolean;
}

/** Formula as written, with its marks. */
export interface FoundFormula {
  /** End in the source, in UTF-16 code units. */
  readonly end: number;
}

const CLOSINGS = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' } as const;

type Opening = keyof typeof CLOSINGS;

/** Finds formulas in a Markdown text in linear time. */
export class FormulaScan {
  readonly #source: string;
  readonly #options: FormulaOptions;
  /** Offset up to which an opening mark has no closing mark, by kind. */
  readonly #barren = new Map<Opening, number>();

  constructor(source: string, options: FormulaOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * Returns the formula that opens at an offset within a line: `$…$`, `\(…\)`, `$$…$$`, or `\[…\]`; undefined if
   * there is none.
   */
  inText(at: number): FoundFormula | undefined {
    const opening = openingAt(this.#source, at);
    return opening === undefined ? undefined : this.#find(opening, at);
  }

  /**
   * Returns the displayed formula that opens at an offset, if its first and last lines contain nothing else;
   * undefined if there is none.
   */
  onLines(at: number): FoundFormula | undefined {
    const opening = openingAt(this.#source, at);
    if (opening !== '$$' && opening !== '\\[') return undefined;
    const formula = this.#find(opening, at);
    if (formula === undefined) return undefined;
    const rest = /[^\S\r\n]*(?=\r?\n|$|\r)/y;
    rest.lastIndex = formula.end;
    return rest.test(this.#source) ? { end: rest.lastIndex } : undefined;
  }

  #find(opening: Opening, at: number): FoundFormula | undefined {
    if (at < (this.#barren.get(opening) ?? 0)) return undefined;
    const source = this.#source;
    const start = at + opening.length;
    const stop = closingFrom(source, opening, start);
    if (!stop.isFound) {
      const mayFollow = this.#options.isGrowing && stop.at === source.length && opening !== '$';
      if (mayFollow) return { end: stop.at };
      this.#barren.set(opening, stop.at);
      return undefined;
    }
    if (!isTex(source.slice(start, stop.at), opening, this.#options.isEscaped)) return undefined;
    return { end: stop.at + opening.length };
  }
}

export interface FormulaParts {
  /** Without the marks. */
  readonly tex: string;
  /** The formula as written. */
  readonly written: string;
  readonly isDisplayed: boolean;
  readonly isClosed: boolean;
}

/** Splits a written formula into its parts. */
export function partsOfFormula(text: string): FormulaParts {
  const written = text.trim();
  const opening = openingAt(written, 0) ?? '$';
  const isClosed = written.length >= 2 * opening.length && written.endsWith(CLOSINGS[opening]);
  const tex = written.slice(opening.length, isClosed ? -opening.length : undefined).trim();
  return { tex, written, isDisplayed: opening === '$$' || opening === '\\[', isClosed };
}

const WORD_PART = /[\p{L}\p{N}]/u;

function openingAt(source: string, at: number): Opening | undefined {
  const two = source.slice(at, at + 2);
  if (two === '\\(' || two === '\\[') return two;
  const before = source[at - 1] ?? '';
  if (!two.startsWith('$') || before === '$' || WORD_PART.test(before)) return undefined;
  if (two !== '$$') return /\s/.test(two[1] ?? ' ') ? undefined : '$';
  return source[at + 2] === '$' ? undefined : '$$';
}

/** Marks that can end the search: a backslash with the next character, dollars, or the end of a paragraph. */
const STOPS = /\\[^]|\$+|\n(?=[^\S\n]*(?:>[^\S\n]*)*\r?\n)/g;

/** Finds the closing mark, or the offset up to which there is none. */
function closingFrom(
  source: string,
  opening: Opening,
  start: number,
): { readonly isFound: boolean; readonly at: number } {
  STOPS.lastIndex = start;
  for (let match = STOPS.exec(source); match !== null; match = STOPS.exec(source)) {
    const [stop] = match;
    const { index } = match;
    if (stop === CLOSINGS[opening] && (opening !== '$' || closesText(source, index)))
      return { isFound: true, at: index };
    // Stop at text that no formula of this kind can contain.
    if (stop.startsWith('\n') || stop.startsWith(opening)) return { isFound: false, at: index };
  }
  return { isFound: false, at: source.length };
}

/** Reports whether the dollar sign at an offset can end a formula: in `$x$`, but not in `$5 and $10`. */
function closesText(source: string, at: number): boolean {
  return !/\s/.test(source[at - 1] ?? ' ') && !WORD_PART.test(source[at + 1] ?? '');
}

const COMMAND = /(?:^|[^\\])\\[a-z]{2,}/i;
const SIGN = /[\\^_={}<>+]/;
const WORD = /(?<![\\\p{L}])\p{L}{3,1000}/gu;

/** Reports whether the text between two marks is TeX, not money, an escape, or a shell variable. */
function isTex(tex: string, opening: Opening, isEscaped: boolean): boolean {
  if (tex.trim() === '') return false;
  switch (opening) {
    case '$$':
      return true;
    case '$':
      return SIGN.test(tex) || (!/^[\d.,]+\s.*\p{L}{2}/su.test(tex) && (tex.match(WORD) ?? []).length < 2);
    case '\\[':
      return isEscaped ? COMMAND.test(tex) : SIGN.test(tex);
    case '\\(':
      return isEscaped ? COMMAND.test(tex) : SIGN.test(tex) || (tex.match(WORD) ?? []).length === 0;
  }
}
