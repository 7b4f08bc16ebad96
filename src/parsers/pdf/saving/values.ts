/**
 * Object of a PDF. Anything but a container or reference stays in its original characters (`raw`: numbers, strings,
 * true, null), so that copies are identical.
 */
export type PdfValue =
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | PdfRef
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | PdfDictionary;

export interface PdfRef {
  readonly kind: 'ref';
  readonly number: number;
  readonly generation: number;
}

export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
}

/** Error for a value that continues beyond the available text. */
export class CutOff extends Error {}

/** Error for text that isn't a valid PDF object. */
export class Malformed extends Error {}

/** Maximum nesting depth of containers; a file with deeper ones is malicious. */
const MAX_DEPTH = 100;

const WHITE = '\0\t\n\f\r ';
const DELIMITERS = '()<>[]{}/%';

/** Parser of objects in a text in which each character is a byte. */
export class ValueParser {
  readonly #text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  /** Parses an object. @throws CutOff, Malformed */
  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new Malformed('Too deep.');
    this.skipSpace();
    const { at } = this;
    const first = this.#need(at);
    if (first === '/') return { kind: 'name', name: this.#name() };
    if (first === '(') return this.#readLiteral();
    if (first === '[') return this.#array(depth);
    if (first === '<') return this.#need(at + 1) === '<' ? this.#dictionary(depth) : this.#readHexadecimal();
    const word = this.word();
    const ref = /^\d{1,10}$/.test(word) ? this.#reference(word) : undefined;
    return ref ?? { kind: 'raw', text: word };
  }

  /** Reads the next word that isn't a delimiter: a number, `obj`, `stream`. @throws CutOff, Malformed */
  word(): string {
    this.skipSpace();
    const start = this.at;
    while (!isEnd(this.#need(this.at))) this.at++;
    if (this.at === start) throw new Malformed(`Nothing begins with ${this.#need(start)}.`);
    return this.#text.slice(start, this.at);
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    for (;;) {
      const character = this.#text[this.at];
      if (character === '%') while (!'\r\n'.includes(this.#need(this.at))) this.at++;
      else if (character === undefined || !WHITE.includes(character)) return;
      else this.at++;
    }
  }

  #need(at: number): string {
    const character = this.#text[at];
    if (character === undefined) throw new CutOff();
    return character;
  }

  #name(): string {
    const start = ++this.at;
    while (!isEnd(this.#need(this.at))) this.at++;
    return this.#text
      .slice(start, this.at)
      .replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }

  #readLiteral(): PdfValue {
    const start = this.at;
    let open = 0;
    do {
      const character = this.#need(this.at++);
      if (character === '\\') this.at++;
      else if (character === '(') open++;
      else if (character === ')') open--;
    } while (open > 0);
    return { kind: 'raw', text: this.#text.slice(start, this.at) };
  }

  #readHexadecimal(): PdfValue {
    const start = this.at;
    while (this.#need(this.at++) !== '>');
    return { kind: 'raw', text: this.#text.slice(start, this.at) };
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = [];
    this.at++;
    for (;;) {
      this.skipSpace();
      if (this.#need(this.at) === ']') break;
      items.push(this.value(depth + 1));
    }
    this.at++;
    return { kind: 'array', items };
  }

  #dictionary(depth: number): PdfDictionary {
    const entries = new Map<string, PdfValue>();
    this.at += 2;
    for (;;) {
      this.skipSpace();
      const character = this.#need(this.at);
      if (character === '>') break;
      if (character !== '/') throw new Malformed('A dictionary has keys that are names.');
      const key = this.#name();
      entries.set(key, this.value(depth + 1));
    }
    this.at += 2;
    return { kind: 'dictionary', entries };
  }

  /** Reads the rest of a reference such as `12 0 R` after its first word. */
  #reference(number: string): PdfRef | undefined {
    const back = this.at;
    this.skipSpace();
    const generation = /^\d{1,5}/.exec(this.#text.slice(this.at, this.at + 5))?.[0];
    if (generation === undefined) {
      // The end of the text can split a reference.
      this.#need(this.at);
      this.at = back;
      return undefined;
    }
    this.at += generation.length;
    this.skipSpace();
    if (this.#need(this.at) === 'R' && isEnd(this.#text[this.at + 1] ?? ' ')) {
      this.at++;
      return { kind: 'ref', number: Number(number), generation: Number(generation) };
    }
    this.at = back;
    return undefined;
  }
}

function isEnd(character: string): boolean {
  return WHITE.includes(character) || DELIMITERS.includes(character);
}

/** Returns an object in PDF syntax. */
export function writeValue(value: PdfValue): string {
  switch (value.kind) {
    case 'raw':
      return value.text;
    case 'name':
      return writtenName(value.name);
    case 'ref':
      return `${String(value.number)} ${String(value.generation)} R`;
    case 'array':
      return `[${value.items.map(writeValue).join(' ')}]`;
    case 'dictionary':
      return `<< ${[...value.entries].map(([key, entry]) => `${writtenName(key)} ${writeValue(entry)}`).join(' ')} >>`;
  }
}

function writtenName(name: string): string {
  return `/${name.replace(
    /[^!-~]|[()<>[\]{}/%#]/g,
    (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )}`;
}

/** Returns a value as a number; undefined for anything else. */
export function numberIn(value: PdfValue | undefined): number | undefined {
  if (value?.kind !== 'raw' || !/^[-+]?\d{0,20}\.?\d{0,20}$/.test(value.text)) return undefined;
  const number = Number(value.text);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a dictionary with changed entries; removes those that are undefined. */
export function withEntries(
  { entries }: PdfDictionary,
  changed: Readonly<Record<string, PdfValue | undefined>>,
): PdfDictionary {
  const allEntries = new Map(entries);
  for (const [key, value] of Object.entries(changed))
    if (value === undefined) allEntries.delete(key);
    else allEntries.set(key, value);
  return { kind: 'dictionary', entries: allEntries };
}

/** Returns a value with these characters, which must be valid. */
export function raw(text: string): PdfValue {
  return { kind: 'raw', text };
}

/** Returns a reference to an object of the first generation. */
export function refTo(number: number): PdfRef {
  return { kind: 'ref', number, generation: 0 };
}

/** Returns a text in PDF syntax: UTF-16 with a byte order mark, in hexadecimal. */
export function textString(text: string): PdfValue {
  const utf16 = Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex');
  return raw(`<feff${utf16}>`);
}

/** Maximum coordinate on a page, in points. */
const MAX_COORDINATE = 1e6;

/** Formats a number with enough digits for a page, and never with an exponent. */
export function decimal(value: number): string {
  return String(Number(Math.max(-MAX_COORDINATE, Math.min(value, MAX_COORDINATE)).toFixed(3)));
}
