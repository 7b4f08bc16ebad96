import iconv from 'iconv-lite';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { escapeMarkdown, MarkdownWriter } from './markdown-writer.ts';
import { isSymbolFont, withSymbols } from './office/symbol-fonts.ts';
import { toDocument } from './office/written-document.ts';
import { joinRuns, type Raise, type TextRun } from './raised-text.ts';
import { decodeText } from './text-decoding.ts';

export const RTF_TYPE = 'application/rtf';

/** Groups whose text doesn't belong to the document. */
const UNREAD = new Set(
  'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf fldinst listtable listoverridetable themedata colorschememapping latentstyles datastore xmlnstbl rsidtbl generator mmathPr ftnsep ftnsepc aftnsep aftnsepc bkmkstart bkmkend annotation atnid atnauthor filetbl revtbl pgptbl'.split(
    ' ',
  ),
);

/** Control words that represent a character. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: ' ',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
};

/** Code pages by the number of a font's character set. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
};

const TABLES: Readonly<Record<string, Group['destination']>> = { fonttbl: 'fonts', stylesheet: 'styles' };

const MAX_DEPTH = 1000;

/** Minimum distance from the baseline, in half-points, of letters that a position makes superscript or subscript. */
const MIN_POSITION = 4;

/** State within a group. */
interface Group {
  readonly destination: 'fonts' | 'list' | 'none' | 'note' | 'styles' | 'text' | 'title';
  /** Number of characters to skip after a Unicode one. */
  readonly fallback: number;
  readonly font: number | undefined;
  readonly raise: Raise | undefined;
  readonly isStruck: boolean;
  /** `true` for hidden text, and for text deleted in tracked changes. */
  readonly isHidden: boolean;
}

/** Format of letters at the start of a file and after `\\plain`. */
const PLAIN_FORMAT = { raise: undefined, isStruck: false, isHidden: false } as const;

/** Returns an RTF file as a document: paragraphs, headings by their outline level, lists, tables, and footnotes. */
export function readRtf(bytes: Uint8Array, name: string): ReadDocument {
  const reader = new RtfReader(name);
  for (const token of readTokens(inOneByteEach(bytes))) {
    reader.take(token);
    if (reader.isFull) break;
  }
  return reader.finish();
}

/** Returns the bytes of a file with one byte for each character, also if an editor saved it in UTF-16. */
function inOneByteEach(bytes: Uint8Array): Uint8Array {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark !== 'fffe' && mark !== 'feff') return bytes;
  const text = decodeText(bytes).replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${String((unit.charCodeAt(0) << 16) >> 16)}?`,
  );
  return Buffer.from(text, 'latin1');
}

class RtfReader {
  readonly #name: string;
  readonly #writer = new MarkdownWriter();
  readonly #groups: Group[] = [];
  readonly #fonts = new Map<number, string>();
  /** Name of each font. */
  readonly #fontNames = new Map<number, string>();
  readonly #notes: TextRun[][] = [];
  #group: Group = { destination: 'text', fallback: 1, font: undefined, ...PLAIN_FORMAT };
  #codePage = 'cp1252';
  #definedFont = 0;
  /** Outline level of each style's paragraphs. */
  readonly #styles = new Map<number, number>();
  #definedStyle = 0;
  #paragraph: TextRun[] = [];
  #title = '';
  #level: number | undefined;
  #isItem = false;
  #items: string[] = [];
  #rows: string[][] = [];
  #cells: string[] = [];
  #skip = 0;
  #isStarred = false;
  #bytes: number[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  take(token: RichToken): void {
    if (token.kind === 'byte') {
      if (this.#skip > 0) this.#skip--;
      else this.#bytes.push(token.value);
      return;
    }
    this.#decode();
    switch (token.kind) {
      case 'open':
        this.#open();
        return;
      case 'close':
        this.#close();
        return;
      case 'text':
        this.#text(this.#inFont(token.text.slice(this.#skip)));
        this.#skip = Math.max(0, this.#skip - token.text.length);
        return;
      case 'control':
        this.#control(token.word, token.value);
    }
  }

  finish(): ReadDocument {
    this.#decode();
    this.#group = { ...this.#group, destination: 'text' };
    if (this.#cells.length > 0) this.#layout('row', undefined);
    this.#endParagraph();
    this.#endTable();
    this.#endItems();
    if (this.#notes.length > 0) this.#writer.heading(1, 'Notes');
    for (const [index, note] of this.#notes.entries())
      this.#writer.block(`[${String(index + 1)}] ${escapeMarkdown(joinRuns(note).trim())}`);
    const warnings =
      this.#groups.length > 0 && !this.isFull
        ? [t('The file is incomplete. Only the existing part was read.')]
        : [];
    const title = this.#title.replace(/\s+/g, ' ').trim();
    return toDocument(this.#writer, RTF_TYPE, title === '' ? undefined : title, warnings);
  }

  #open(): void {
    if (this.#groups.length >= MAX_DEPTH)
      throw new NotebookError(
        'damaged',
        t(
          'Can’t read {0} because its content is nested too deeply. Save it in another format, then add the new file.',
          this.#name,
        ),
      );
    this.#groups.push(this.#group);
    this.#isStarred = false;
  }

  #close(): void {
    this.#group = this.#groups.pop() ?? this.#group;
    this.#isStarred = false;
    this.#skip = 0;
  }

  #control(word: string, value: number | undefined): void {
    if (word === '*') {
      this.#isStarred = true;
      return;
    }
    if (word === 'title') this.#group = { ...this.#group, destination: 'title' };
    else if ((this.#isStarred && !/^(?:shppict|footnote)$/.test(word)) || UNREAD.has(word))
      this.#group = {
        ...this.#group,
        destination: (Object.hasOwn(TABLES, word) ? TABLES[word] : undefined) ?? 'none',
      };
    this.#isStarred = false;
    if (this.#group.destination === 'none') return;
    if (this.#format(word, value)) return;
    const character = Object.hasOwn(CHARACTERS, word) ? CHARACTERS[word] : undefined;
    if (character !== undefined) this.#text(character);
    else if (word === 'u') this.#unicode(value ?? 0);
    else if (word === 'uc') this.#group = { ...this.#group, fallback: Math.max(0, value ?? 1) };
    else if (word === 'ansicpg' && iconv.encodingExists(`cp${String(value)}`))
      this.#codePage = `cp${String(value)}`;
    else if (word === 'f' && this.#group.destination === 'fonts') this.#definedFont = value ?? 0;
    else if (word === 'f') this.#group = { ...this.#group, font: value };
    else if (word === 'fcharset') this.#fonts.set(this.#definedFont, CODE_PAGES[value ?? 0] ?? '');
    else if (this.#group.destination === 'styles') this.#defineStyle(word, value ?? 0);
    else this.#layout(word, value);
  }

  /** Takes a control word that changes the format of letters; returns `false` for other words. */
  #format(word: string, value: number | undefined): boolean {
    const isOn = value !== 0;
    switch (word) {
      case 'super':
        return this.#change({ raise: isOn ? 'super' : undefined });
      case 'sub':
        return this.#change({ raise: isOn ? 'sub' : undefined });
      case 'up':
        return this.#change({ raise: (value ?? 6) >= MIN_POSITION ? 'super' : undefined });
      case 'dn':
        return this.#change({ raise: (value ?? 6) >= MIN_POSITION ? 'sub' : undefined });
      case 'nosupersub':
        return this.#change({ raise: undefined });
      case 'strike':
      case 'striked':
        return this.#change({ isStruck: isOn });
      case 'v':
      case 'deleted':
        return this.#change({ isHidden: isOn });
      case 'plain':
        return this.#change(PLAIN_FORMAT);
      default:
        return false;
    }
  }

  #change(format: Partial<Group>): true {
    this.#group = { ...this.#group, ...format };
    return true;
  }

  #defineStyle(word: string, value: number): void {
    if (word === 's') this.#definedStyle = value;
    else if (word === 'outlinelevel' && value < 9) this.#styles.set(this.#definedStyle, value + 1);
  }

  #layout(word: string, value: number | undefined): void {
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        this.#endParagraph();
        return;
      case 's':
        this.#level = this.#styles.get(value ?? 0) ?? this.#level;
        return;
      case 'pard':
        if (this.#group.destination !== 'text') return;
        this.#level = undefined;
        this.#isItem = false;
        return;
      case 'outlinelevel':
        this.#level = (value ?? 9) < 9 ? (value ?? 0) + 1 : undefined;
        return;
      case 'listtext':
      case 'pntext':
        this.#group = { ...this.#group, destination: 'list' };
        this.#isItem = true;
        return;
      case 'footnote':
        this.#notes.push([]);
        this.#change(PLAIN_FORMAT);
        this.#text(`[${String(this.#notes.length)}]`);
        this.#change({ destination: 'note' });
        return;
      case 'cell':
      case 'nestcell':
        if (this.#group.destination === 'note') {
          this.#text(' ');
          return;
        }
        this.#cells.push(joinRuns(this.#paragraph));
        this.#paragraph = [];
        return;
      case 'row':
      case 'nestrow':
        // A damaged file can lack the end of the last cell.
        if (this.#group.destination === 'text' && joinRuns(this.#paragraph).trim() !== '')
          this.#layout('cell', undefined);
        if (this.#cells.length > 0) this.#rows.push(this.#cells);
        this.#cells = [];
    }
  }

  #unicode(value: number): void {
    this.#text(this.#inFont(String.fromCharCode(value & 0xffff)));
    this.#skip = this.#group.fallback;
  }

  #decode(): void {
    if (this.#bytes.length === 0) return;
    const ofFont = this.#group.font === undefined ? '' : (this.#fonts.get(this.#group.font) ?? '');
    const codes = this.#bytes;
    this.#bytes = [];
    const isSymbol = isSymbolFont(this.#fontName);
    const text = isSymbol
      ? String.fromCharCode(...codes)
      : iconv.decode(Buffer.from(codes), ofFont === '' ? this.#codePage : ofFont);
    this.#text(this.#inFont(text));
  }

  get #fontName(): string {
    const { font, destination } = this.#group;
    if (font === undefined || destination === 'fonts') return '';
    return (this.#fontNames.get(font) ?? '').replace(/;.*$/s, '').trim();
  }

  /** Returns text with the characters that its font shows. */
  #inFont(text: string): string {
    return this.#group.destination === 'fonts' ? text : withSymbols(text, this.#fontName);
  }

  #text(text: string): void {
    const { destination, raise, isStruck, isHidden } = this.#group;
    if (destination === 'fonts')
      this.#fontNames.set(this.#definedFont, (this.#fontNames.get(this.#definedFont) ?? '') + text);
    else if (isHidden) return;
    else if (destination === 'text') this.#paragraph.push({ text, raise, isStruck });
    else if (destination === 'title') this.#title += text;
    else if (destination === 'note') this.#notes.at(-1)?.push({ text, raise, isStruck });
  }

  #endParagraph(): void {
    if (this.#group.destination === 'note') this.#text(' ');
    if (this.#group.destination !== 'text') return;
    // Within a row, the end of a paragraph stays in its cell.
    if (this.#cells.length > 0) {
      this.#paragraph.push({ text: ' ' });
      return;
    }
    const text = joinRuns(this.#paragraph).trim();
    this.#paragraph = [];
    if (text === '') return;
    this.#endTable();
    if (this.#isItem && this.#level === undefined) {
      this.#items.push(`- ${escapeMarkdown(text.replaceAll('\n', ' '))}`);
      return;
    }
    this.#endItems();
    if (this.#level === undefined) this.#writer.block(escapeMarkdown(text));
    else this.#writer.heading(this.#level, text);
  }

  #endItems(): void {
    if (this.#items.length > 0) this.#writer.block(this.#items.join('\n'));
    this.#items = [];
  }

  #endTable(): void {
    const [header, ...rows] = this.#rows;
    this.#rows = [];
    if (header === undefined) return;
    this.#endItems();
    this.#writer.table(
      header,
      rows.map((cells) => ({ cells })),
    );
  }
}

/** Token of an RTF file. `byte` is a byte of text in the code page of its font. */
type RichToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined };

const CONTROL = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|([^a-z]))/giy;
const PLAIN = /[^\\{}\r\n]{1,10000}/y;

/** Yields the tokens of an RTF file in order. Skips the binary data after `\bin`. */
function* readTokens(bytes: Uint8Array): Generator<RichToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (let at = 0; at < source.length;) {
    const unit = source[at];
    if (unit === '{' || unit === '}') {
      yield { kind: unit === '{' ? 'open' : 'close' };
      at++;
    } else if (unit === '\\') {
      CONTROL.lastIndex = at;
      const match = CONTROL.exec(source);
      if (match === null) {
        at++;
        continue;
      }
      at = CONTROL.lastIndex;
      const [, word, digits, hex, symbol] = match;
      const value = digits === undefined ? undefined : Number(digits);
      if (hex !== undefined) yield { kind: 'byte', value: Number.parseInt(hex, 16) };
      else if (word === 'bin') at += Math.max(0, value ?? 0);
      else if (word !== undefined) yield { kind: 'control', word, value };
      else if (symbol !== undefined) yield ofSymbol(symbol);
    } else if (unit === '\r' || unit === '\n') at++;
    else {
      PLAIN.lastIndex = at;
      const text = PLAIN.exec(source)?.[0] ?? '';
      at += Math.max(1, text.length);
      // Text without escapes can still contain non-ASCII bytes.
      if (/^[\0-\x7f]*$/.test(text)) yield { kind: 'text', text };
      else for (const byte of Buffer.from(text, 'latin1')) yield { kind: 'byte', value: byte };
    }
  }
}

function ofSymbol(symbol: string): RichToken {
  switch (symbol) {
    case '\\':
    case '{':
    case '}':
      return { kind: 'text', text: symbol };
    case '\r':
    case '\n':
      return { kind: 'control', word: 'par', value: undefined };
    case '-':
      return { kind: 'text', text: '' };
    default:
      return { kind: 'control', word: symbol, value: undefined };
  }
}
