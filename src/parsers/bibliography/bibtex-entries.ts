/** Entry of a .bib file as in the file. Lines are zero-based. */
export interface BibtexEntry {
  readonly kind: string;
  /** Key with underscores for spaces, which citations can't contain. */
  readonly key: string;
  readonly text: string;
  readonly line: number;
}

/** Start of an entry in a .bib file that isn't a complete entry. */
interface BrokenEntry {
  readonly key: string;
  readonly line: number;
}

/** Parts of a .bib file. `preamble` holds its abbreviations: `@string{jcs = "Journal of…"}`. */
interface BibtexParts {
  readonly entries: readonly BibtexEntry[];
  readonly preamble: string;
  readonly broken: readonly BrokenEntry[];
}

/**
 * Splits a .bib file into its entries, in time proportional to its length. An entry that isn't closed ends at the next
 * entry at the start of a line, so that the rest can be read.
 */
export function partBibtex(text: string): BibtexParts {
  const entries: BibtexEntry[] = [];
  const broken: BrokenEntry[] = [];
  const strings: string[] = [];
  const lineAt = lineCounter(text);
  const opening = /(?<=^|[\s}])@\s{0,20}([a-z]{1,40})\s{0,20}([{(])/gi;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const kind = (match[1] ?? '').toLowerCase();
    const body = match.index + match[0].length;
    if (kind === 'comment') continue;
    const end = closing(text, body, match[2] === '(' ? ')' : '}');
    const [written = ''] =
      /^[^,{}="\s](?:[^,{}="\n]{0,198}[^,{}="\s])?(?=\s{0,20}(?:,|\}|$))/.exec(
        text.slice(body, body + 240).trimStart(),
      ) ?? [];
    const key = written.replace(/\s+/g, '_');
    if (end === undefined) {
      broken.push({ key, line: lineAt(match.index) });
      // The lines after the start of the broken entry may contain other entries.
      continue;
    }
    const entry = text.slice(match.index, end);
    opening.lastIndex = end;
    if (kind === 'string') strings.push(entry);
    else if (kind !== 'preamble') entries.push({ kind, key, text: entry, line: lineAt(match.index) });
  }
  return { entries, preamble: strings.join('\n'), broken };
}

/** Returns the position of the closing bracket; undefined if another entry begins a line before it. */
function closing(text: string, from: number, close: string): number | undefined {
  const marks = /[{}()\\]|\n\s{0,20}@\s{0,20}[a-z]{1,40}\s{0,20}[{(]/gi;
  marks.lastIndex = from;
  let depth = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark] = match;
    if (mark === '\\') marks.lastIndex++;
    else if (mark.startsWith('\n')) return undefined;
    else if (depth === 0 && mark === close) return match.index + 1;
    else if (mark === '{') depth++;
    else if (mark === '}') depth--;
    if (depth < 0) return undefined;
  }
  return undefined;
}

/** Returns a function that counts the lines before an offset. Offsets must ascend. */
function lineCounter(text: string): (offset: number) => number {
  let line = 0;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}

/** Returns the values of a preamble's abbreviations by lowercase name, as in the file: `{Journal of …}`. */
export function abbreviations(preamble: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const entry of preamble.split(/\n(?=@string)/i)) {
    const [head, name] = /^@string\s{0,20}[{(]\s{0,20}([^\s={}(),"#]{1,200})\s{0,20}=/i.exec(entry) ?? [];
    if (head === undefined || name === undefined) continue;
    // An abbreviation can use earlier ones.
    values.set(
      name.toLowerCase(),
      expandStrings(`=${entry.slice(head.length, -1)}`, values)
        .slice(1)
        .trim(),
    );
  }
  return values;
}

/** Returns an entry with its abbreviations expanded, so that it is valid in another file. */
export function expandedEntry(entry: string, values: ReadonlyMap<string, string>): string {
  const body = entry.search(/[{(]/) + 1;
  return values.size === 0 ? entry : entry.slice(0, body) + expandStrings(entry.slice(body), values);
}

/** Replaces names after `=` and `#` outside braces and quotes. */
function expandStrings(text: string, values: ReadonlyMap<string, string>): string {
  const tokens = /\\[^]|[{}"=#,]|[^\s\\{}"=#,()]+/g;
  let result = '';
  let from = 0;
  let depth = 0;
  let isQuoted = false;
  let before = '';
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (token === '"' && depth === 0) isQuoted = !isQuoted;
    const value =
      depth === 0 && !isQuoted && /[=#]/.test(before) ? values.get(token.toLowerCase()) : undefined;
    if (value !== undefined) {
      result += text.slice(from, index) + value;
      from = index + token.length;
    }
    before = token;
  }
  return result + text.slice(from);
}

/**
 * Returns the files that an entry names, in the format of Zotero, Better BibTeX, and JabRef: `file = {Full
 * Text:/home/a/b.pdf:application/pdf}`.
 */
export function entryFiles(entry: string): string[] {
  const [, value = ''] = /[,\s]file\s{0,20}=\s{0,20}[{"]([^{}"]{1,4000})[}"]/i.exec(entry) ?? [];
  const names = value
    .split(/(?<!\\)[;:]/)
    .map((part) => part.replaceAll(/\\([:;\\])/g, '$1').trim())
    .filter((part) => /[^/\\]\.(?:pdf|epub|html?|docx|txt|md)$/i.test(part))
    .map((part) => part.slice(Math.max(part.lastIndexOf('/'), part.lastIndexOf('\\')) + 1));
  return [...new Set(names)];
}
