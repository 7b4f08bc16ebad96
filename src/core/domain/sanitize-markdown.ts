/** Invisible character that separates two others. */
const JOINER = '\u2060';

/** Replacements that turn special characters into text. */
const AS_TEXT: Readonly<Record<string, string>> = { '!': '&#33;', '<': '&lt;', '(': '&#40;', ':': '&#58;' };

const AUTOLINK = /<(?:https?:\/\/[\w./:?#@%&=+~,;-]*|[\w.+-]+@[\w.-]+)>/iy;
const LINKED = /\((?:<?(?:https?:|mailto:)|citation\/[\da-f]{16}[ )]|picture\/[\da-f]{16}\.(?:jpg|png)\))/iy;
/** Matches a picture that is stored with a citation. */
const PICTURE = /!\[[^[\]`\\$<]*\]\(picture\/[\da-f]{16}\.(?:jpg|png)\)/y;
/** Matches a link that every parser ends at the same character. */
const PLAIN_LINK = /\((?:[^\s()<>`"'\\$|]|\([^\s()<>`"'\\$|]*\))*(?: "[^"`\\$|]*")?\)/y;
/** Matches a footnote whose text no parser reads as a URL, since only a title or nothing can follow a URL. */
const FOOTNOTE = /^ {0,3}\[\^[^\s[\]`\\$]+\](?=: +[^\s<]\S* +[^\s"'(])/;
/** Matches marks of footnotes, which can follow a sentence. */
const FOOTNOTE_MARK = /(?:\[\^[\w-]+\])+(?![([:])/y;
/**
 * Matches brackets that close on their line, around text, code without brackets, or one more pair: `[[a]]`, `[`a`]`.
 */
const CLOSED_BRACKETS = /\[(?:[^[\]`\\$<]|\[[^[\]`\\$<]*\]|`[^[\]`\\$<|]+`(?!`))*\]/y;

const OPENING_FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const OPENING_FENCE_OF_ITEM = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]) {1,4})(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^([ \t]*)([`~]{3,})([ \t]*)$/;
const NESTED_FENCE = /^(?:[\s>*+\d.)-]|\[[^\]]*\]:)*(?:`{3}|~{3})/;
const FORMULA = /^([\s>*+\d.)-]*)(?:\$\$|\$[ \t]*$|\\begin)/;
const FORMULA_OF_ONE_LINE = /^[^$]*\$\$[^$]+\$\$$/;
/** Matches an open bracket at the end of a line. Some parsers search its end beyond the block. */
const OPEN_LABEL = /^[\s>*+\d.)-]*\[(?:\\.|[^\]\\])*\\?$/;
/** Matches a line outside of lists, quotations, and footnotes. */
const OUTERMOST = /^[^\s>*+\d[-]/;
const INDENTED_CODE = /^[\s>*+\d.)-]*(?: {4}|\t)/;

/**
 * Returns Markdown from elsewhere so that nothing loads or runs wherever it is shown. Images, HTML, link definitions,
 * and links to anything but the web, a mail address, or a note's citation become text, and look as they are written.
 * Pictures that are stored with a citation stay.
 *
 * Parsers differ in which parts are code and which are text. Code stays unchanged only if nothing before it in its
 * paragraph can lead a parser to read it otherwise. Text becomes character references if all parsers agree that it is
 * text. Everything else gets an invisible character between the two characters that would start the image, link, or
 * HTML.
 */
export function sanitizeMarkdown(markdown: string): string {
  return harmless(withPlainBreaks(markdown), 0, true);
}

/** Returns the part after the first `from` code units of Markdown that is still growing, as `sanitizeMarkdown` does. */
export function sanitizeRest(markdown: string, from: number): string {
  return harmless(withPlainBreaks(markdown), withPlainBreaks(markdown.slice(0, from)).length, false);
}

/**
 * Returns text for a line of Markdown, whatever is around it. Nothing in it counts as code, and it starts no block of
 * code or formula.
 */
export function sanitizeWords(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  const { text } = harmlessLine(line, { from: 0, isCut: false, trust: 'none' });
  return /^[`~$\\]/.test(text) ? JOINER + text : text;
}

function withPlainBreaks(markdown: string): string {
  return markdown.replaceAll(/\r\n?/g, '\n');
}

function harmless(text: string, from: number, isWhole: boolean): string {
  const blocks = new Blocks();
  let result = '';
  let start = 0;
  let trust: Trust = 'all';
  for (const line of text.split('\n')) {
    const kind = blocks.take(line);
    if (start > from) result += '\n';
    if (kind === 'code' || kind === 'blank') {
      result += line.slice(Math.max(0, from - start));
      // For some parsers a paragraph continues after a line of spaces.
      if (kind === 'code' || line === '') trust = 'all';
    } else {
      const isCut = !isWhole && start + line.length === text.length;
      const done = harmlessLine(line, { from: from - start, isCut, trust: kind === 'text' ? trust : 'none' });
      result += done.text;
      trust = done.trust;
    }
    start += line.length + 1;
  }
  return result;
}

/** Kind of a line: code to every parser, text to every parser, or either. */
type LineKind = 'blank' | 'code' | 'text' | 'unsure';

interface Fence {
  readonly run: string;
  /** Number of columns before the fence and all lines in it. */
  readonly indent: number;
}

/**
 * Finds fenced code line by line. Unlike `LineScanner`, which follows one parser, it finds the lines that parsers read
 * differently.
 */
class Blocks {
  #fence: Fence | undefined;
  #formula: 'lines' | 'words' | undefined;
  #isFrontMatter = false;
  #isFirst = true;
  #isAfterBlank = true;
  /** `true` if a link definition may have started that continues in a fence. */
  #isLabelOpen = false;
  /** `true` if a fence may be open in a list or a quotation. */
  #isAdrift = false;
  /** `true` if a fence may be open to the end. */
  #isLost = false;

  take(line: string): LineKind {
    const isFirst = this.#isFirst;
    const isAfterBlank = this.#isAfterBlank;
    const isBlank = /^[ \t]*$/.test(line);
    this.#isFirst = false;
    this.#isAfterBlank = isBlank;
    if (this.#isLost) return isBlank ? 'blank' : 'unsure';
    if (isFirst && /^\uFEFF?---[ \t]*$/.test(line)) this.#isFrontMatter = true;
    else if (this.#isFrontMatter) this.#takeFrontMatter(line);
    else if (this.#fence !== undefined) return this.#takeFenced(line, this.#fence, isBlank);
    else if (this.#formula !== undefined) this.#takeFormula(line, this.#formula);
    else return isBlank ? 'blank' : this.#takeText(line, isAfterBlank);
    return 'unsure';
  }

  #lose(): 'unsure' {
    this.#isLost = true;
    return 'unsure';
  }

  #takeFrontMatter(line: string): void {
    if (/^---[ \t]*$/.test(line)) this.#isFrontMatter = false;
    else if (/`{3}|~{3}|\$|\\begin/.test(line)) this.#lose();
  }

  #takeFenced(line: string, { run, indent }: Fence, isBlank: boolean): LineKind {
    if (isBlank) return 'code';
    if (line.search(/[^ ]/) < indent) return this.#lose();
    const [, before = '', marks = '', after = ''] = CLOSING_FENCE.exec(line) ?? [];
    if (!marks.startsWith(run) || (indent === 0 && /^ {4}|\t/.test(before))) return 'code';
    const isExact = indent === 0 ? before.length < 4 : before.length === indent;
    // Some parsers end the code here, and others don't.
    if (!isExact || before.includes('\t') || after.includes('\t') || new Set(marks).size > 1)
      return this.#lose();
    this.#fence = undefined;
    return 'code';
  }

  #takeFormula(line: string, formula: 'lines' | 'words'): void {
    if (/`{3}|~{3}/.test(line)) this.#lose();
    if (!line.includes('$$')) return;
    const ends =
      formula === 'lines' ? line === '$$' : line.length > 2 && line.indexOf('$$') === line.length - 2;
    if (ends) this.#formula = undefined;
    else this.#lose();
  }

  #takeText(line: string, isAfterBlank: boolean): LineKind {
    const wasLabelOpen = this.#isLabelOpen;
    if (OPEN_LABEL.test(line)) this.#isLabelOpen = true;
    else if (/(?<!\\)\]/.test(line)) this.#isLabelOpen = false;
    const [, indent, run] = OPENING_FENCE.exec(line) ?? [];
    if (indent !== undefined && run !== undefined) {
      // A line with a bar may be the header of a table.
      if ((this.#isAdrift && indent !== '') || wasLabelOpen || line.includes('|')) return this.#lose();
      this.#isAdrift = false;
      this.#fence = { run, indent: indent.length };
      return 'text';
    }
    const [, item, number = '1', runOfItem] = OPENING_FENCE_OF_ITEM.exec(line) ?? [];
    // Other numbers don't start a list within a paragraph.
    const isItem = item !== undefined && (isAfterBlank || number === '1') && !line.includes('|');
    if (isItem && runOfItem !== undefined && !this.#isAdrift && !this.#isLabelOpen) {
      this.#fence = { run: runOfItem, indent: item.length };
      return 'text';
    }
    if (this.#isAdrift && isAfterBlank && OUTERMOST.test(line)) this.#isAdrift = false;
    if (NESTED_FENCE.test(line)) this.#isAdrift = true;
    const before = FORMULA.exec(line)?.[1];
    if (before !== undefined && !FORMULA_OF_ONE_LINE.test(line)) {
      if (before !== '' || !line.startsWith('$$') || line.includes('$$', 2)) return this.#lose();
      this.#formula = line === '$$' ? 'lines' : 'words';
      return 'unsure';
    }
    return this.#isAdrift ? 'unsure' : 'text';
  }
}

/**
 * Code spans of a paragraph that are code to every parser, judging by the text before them: all, those without `*`,
 * `_`, and `~`, or none.
 */
type Trust = 'all' | 'none' | 'unstyled';

interface LineState {
  /** The result omits the text before this offset. */
  readonly from: number;
  /** `true` if the line may continue. */
  readonly isCut: boolean;
  readonly trust: Trust;
}

/** Returns a line in which nothing loads or runs, and the code spans to trust after it in the same paragraph. */
function harmlessLine(line: string, state: LineState): { readonly text: string; readonly trust: Trust } {
  const { isCut } = state;
  const from = Math.max(0, state.from);
  const mayBeCode = INDENTED_CODE.test(line);
  const footnote = FOOTNOTE.exec(line)?.[0].length;
  let { trust } = state;
  let isAddress = false;
  let text = '';
  let done = from;

  /** Separates the characters before and after `at`; `character` is the offset of the one that can be replaced. */
  const part = (at: number, character: number): void => {
    if (at < done) return;
    // Remove the backslash before an escaped character, since in an address it doesn't escape anything.
    const start = backslashesBefore(line, character) % 2 === 1 && character < at ? character - 1 : character;
    if (trust === 'none' || mayBeCode || start < done) {
      text += line.slice(done, at) + JOINER;
      done = at;
    } else {
      text += line.slice(done, start) + (AS_TEXT[line.charAt(character)] ?? '');
      done = character + 1;
    }
  };

  for (let i = 0; i < line.length; i++) {
    const next = line.charAt(i + 1);
    switch (line.charAt(i)) {
      case ' ':
      case '\t':
        isAddress = false;
        break;
      case '@':
        isAddress = true;
        break;
      case '.':
        if (/www$/i.test(line.slice(Math.max(0, i - 3), i))) isAddress = true;
        break;
      case '$':
        // Parsers read formulas before code.
        trust = 'none';
        break;
      case '*':
      case '_':
      case '~':
        // Emphasis may start here and end within code, since some parsers read it before code.
        if (trust === 'all') trust = 'unstyled';
        break;
      case '`': {
        const run = runAt(line, i);
        const end = trust === 'none' || isAddress ? undefined : codeEnd(line, i, run);
        if (end === undefined || (isCut && end === line.length) || !isCode(line, i, end, trust)) {
          trust = 'none';
          i += run - 1;
        } else i = end - 1;
        break;
      }
      case ':':
        if (line.startsWith('//', i + 1)) isAddress = true;
        break;
      case '!':
        FOOTNOTE_MARK.lastIndex = i + 1;
        PICTURE.lastIndex = i;
        if (next === '[' && (isCut || !FOOTNOTE_MARK.test(line)) && !PICTURE.test(line)) part(i + 1, i);
        break;
      case '<':
        if (!/[a-z/!?]/i.test(next)) break;
        AUTOLINK.lastIndex = i;
        if (AUTOLINK.test(line)) i = AUTOLINK.lastIndex - 1;
        else part(i + 1, i);
        break;
      case '[':
        // While a parser searches for the end of a link, it may decide that a later backtick doesn't end code. It then
        // ignores all code before that backtick.
        CLOSED_BRACKETS.lastIndex = i;
        if (!CLOSED_BRACKETS.test(line) && (isAddress || backslashesBefore(line, i) % 2 === 0))
          trust = 'none';
        break;
      case ']':
        if (next === ':' && i + 1 !== footnote) part(i + 1, i + 1);
        if (next !== '(') break;
        LINKED.lastIndex = PLAIN_LINK.lastIndex = i + 1;
        if (!LINKED.test(line)) part(i + 1, i + 1);
        // Some parsers read code before a link's URL, and others after it.
        else if (!PLAIN_LINK.test(line)) trust = 'none';
    }
  }
  return { text: text + line.slice(done), trust };
}

/** Reports whether text in backticks is code to every parser that has read the text before it in the same way. */
function isCode(line: string, start: number, end: number, trust: Trust): boolean {
  // Some parsers combine these two characters with the backticks after them.
  if (start > 0 && '\\~'.includes(line.charAt(start - 1))) return false;
  const code = line.slice(start, end);
  return !/\||\][:(]/.test(code) && (trust === 'all' || !/[*_~]/.test(code));
}

function backslashesBefore(line: string, at: number): number {
  let start = at;
  while (line.charAt(start - 1) === '\\') start--;
  return at - start;
}

/** Returns the number of backticks from an offset on. */
function runAt(line: string, at: number): number {
  let end = at;
  while (line.charAt(end) === '`') end++;
  return end - at;
}

/** Returns the end of the code that a run of backticks starts; undefined if the code doesn't end on the line. */
function codeEnd(line: string, start: number, run: number): number | undefined {
  for (let at = line.indexOf('`', start + run); at >= 0; at = line.indexOf('`', at)) {
    const length = runAt(line, at);
    at += length;
    if (length === run) return at;
  }
  return undefined;
}

/** Placeholder for a mark during the search for code: no mark may contain a character that it lacks. */
const LINK = ' [1](citation/0000000000000000)';

/**
 * Returns a function for Markdown from elsewhere that arrives in parts, each followed by a mark of Open Notebook. A
 * mark is a link, or text that may lead to commands. The parts load and run nothing, alone or together.
 */
export function sanitizeStream(): (part: string, mark: string) => string {
  let source = '';
  return (part, mark) => {
    const words = part.trimEnd();
    const space = part.slice(words.length);
    // On the last line of a fence, a mark would keep the fence open.
    const isFenced = mark !== '' && /(?:`{3}|~{3})$/.test(words);
    const end = isFenced ? `\n\n${mark.trim()}` : mark;
    const from = source.length;
    source += words;
    const shown = sanitizeRest(source, from);
    source += (mark === '' ? '' : isFenced ? `\n\n${LINK.trim()}` : LINK) + space;
    return shown + end + space;
  };
}
