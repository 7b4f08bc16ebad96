import { parseArxiv } from '../../core/domain/bibliography.ts';
import type { BibtexEntry } from './bibtex-entries.ts';
import { JOURNAL_MACROS } from './journal-macros.ts';

/** Field of an entry; the value is as in the file, with its braces or quotes. */
export interface EntryField {
  /** In lowercase. */
  readonly name: string;
  readonly value: string;
}

/** Fields whose values aren't LaTeX. */
const VERBATIM = new Set([
  'crossref',
  'doi',
  'eprint',
  'file',
  'pdf',
  'url',
  'urlraw',
  'verba',
  'verbb',
  'xdata',
]);

/** Maximum length of a part of a fraction, in UTF-16 code units. */
const MAX_ARGUMENT_LENGTH = 300;

const NAME_FIELDS = new Set(['author', 'editor', 'translator']);

/** Field names that citation-js can parse. */
const FIELD_NAME = /^[a-z_][\w:+-]*$/i;

/** Returns the fields of an entry; undefined if a part of it is no field, for example after a missing comma. */
export function entryFields(entry: string): readonly EntryField[] | undefined {
  const fields: EntryField[] = [];
  const end = entry.length - 1;
  const open = entry.search(/[{(]/);
  let at = entry.indexOf(',', open) + 1;
  if (at === 0) return undefined;
  const heading = /[\s,]*([^\s={}",]{1,80})\s*=\s*/y;
  for (;;) {
    heading.lastIndex = at;
    const match = heading.exec(entry);
    if (match === null) return /^[\s,]*$/.test(entry.slice(at, end)) ? fields : undefined;
    const start = heading.lastIndex;
    at = valueEnd(entry, start, end);
    const value = entry.slice(start, at).trim();
    // A value of braces ends with them: more is a sign of a missing comma.
    if (value === '' || !isValue(value)) return undefined;
    fields.push({ name: (match[1] ?? '').toLowerCase(), value });
  }
}

/** Reports whether a value consists of braces, quotes, numbers, and names, joined by `#`. */
function isValue(value: string): boolean {
  let depth = 0;
  let isQuoted = false;
  let outside = '';
  for (const { 0: token } of value.matchAll(/\\[^]|[{}"]|[^\\{}"]+/g)) {
    const isOutside = depth === 0 && !isQuoted;
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (token === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isOutside) {
      outside += token;
      continue;
    }
    if (isOutside) outside += '@';
  }
  return outside.split('#').every((part) => /^\s*(?:@|[^\s@]+)\s*$/.test(part));
}

function valueEnd(entry: string, start: number, end: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < end; at++) {
    const letter = entry[at];
    if (letter === '\\') at++;
    else if (letter === '{') depth++;
    else if (letter === '}') depth--;
    else if (depth === 0 && letter === '"') isQuoted = !isQuoted;
    else if (depth === 0 && !isQuoted && letter === ',') return at;
  }
  return end;
}

/**
 * Returns an entry with the fields of its `xdata` entries that it doesn't have itself, so that it is complete in another
 * file.
 */
export function withXdata(
  entry: BibtexEntry,
  entries: ReadonlyMap<string, BibtexEntry>,
  visitedKeys = new Set<string>(),
): readonly EntryField[] | undefined {
  if (!/xdata/i.test(entry.text)) return visitedKeys.size === 0 ? undefined : (entryFields(entry.text) ?? []);
  const own = entryFields(entry.text) ?? [];
  const keys = own.find(({ name }) => name === 'xdata')?.value;
  if (keys === undefined) return visitedKeys.size === 0 ? undefined : own;
  const fieldsByName = new Map(
    own.filter(({ name }) => name !== 'xdata').map((field) => [field.name, field]),
  );
  for (const key of keys.replace(/[{}"]/g, '').split(',')) {
    const parent = entries.get(key.trim().toLowerCase());
    if (parent === undefined || visitedKeys.has(parent.key)) continue;
    visitedKeys.add(parent.key);
    for (const field of withXdata(parent, entries, visitedKeys) ?? [])
      if (!fieldsByName.has(field.name)) fieldsByName.set(field.name, field);
  }
  return [...fieldsByName.values()];
}

/** Returns an entry with these fields. */
export function entryWith(
  { kind, key }: Pick<BibtexEntry, 'key' | 'kind'>,
  fields: readonly EntryField[],
): string {
  return `@${kind}{${key},\n${fields.map(({ name, value }) => `  ${name} = ${value}`).join(',\n')}\n}`;
}

/**
 * Returns the text of an entry in LaTeX that citation-js can parse: with the characters of commands that it doesn't
 * know, and without `$` that isn't math.
 * @param parsedCommands commands that citation-js reads itself
 */
export function readableFields(
  fields: readonly EntryField[],
  parsedCommands: ReadonlySet<string>,
): readonly EntryField[] {
  return fields.flatMap(({ name, value }) => {
    if (!FIELD_NAME.test(name)) return [];
    if (VERBATIM.has(name)) return [{ name, value: withoutLatex(name, value) }];
    return [{ name, value: readable(NAME_FIELDS.has(name) ? withAnd(value) : value, parsedCommands) }];
  });
}

/** Returns the fields with commands and math as plain text, for an entry whose LaTeX can't be parsed. */
export function plainFields(fields: readonly EntryField[]): readonly EntryField[] {
  return fields.map(({ name, value }) => ({ name, value: VERBATIM.has(name) ? value : plain(value) }));
}

function plain(value: string): string {
  return value
    .replace(/\\(?:([a-zA-Z]+)\s*|([^]))/g, (_all, command: string | undefined, sign: string) =>
      command === undefined ? (PLAIN_SIGNS.get(sign) ?? '') : (SYMBOLS.get(command) ?? ''),
    )
    .replaceAll('$', String.raw`\$`);
}

const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map([
  ...['&', '%', '#', '_'].map((sign): [string, string] => [sign, `\\${sign}`]),
  ['$', '$'],
]);

/** Returns an address or a DOI without the LaTeX that some programs write into it: `a\_b`, `\url{…}`. */
function withoutLatex(name: string, value: string): string {
  if (name !== 'doi' && !name.startsWith('url')) return value;
  const plainText = value
    .replace(/\\url\s{0,9}\{([^{}]{0,2000})\}/g, '$1')
    .replace(/\{?\\(?:textasciitilde|~)(?:\s{0,9}\{\})?\}?/g, '~')
    .replace(/\{\\([_%&#])\}/g, '$1')
    .replace(/\\([_%&#])/g, '$1');
  return name === 'doi'
    ? plainText.replace(/^([{"]{0,3})\s{0,9}(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s{0,9})/i, '$1')
    : plainText;
}

/**
 * Separates names with `and`, because some programs write semicolons, `&`, or commas between them, and names further
 * people as `others`.
 */
function withAnd(value: string): string {
  const trimmed = value
    .replace(/^([{"]?)\s{0,9}and\s/i, '$1')
    .replace(/\sand\s{0,9}([}"]?)$/i, '$1')
    .replace(/(?<=\S)(?:,|\sand)?\s{1,9}et\.? al\.?\s{0,9}(?=[}"]?$)/i, ' and others');
  const isSeparated = /[;&]/.test(trimmed) && !/\sand\s/i.test(trimmed.replace(/ and others/, ''));
  const separated = isSeparated
    ? trimmed.replace(/\s{0,9};\s{0,9}(?=[^\s"}])|\s{1,9}\\?&\s{1,9}/g, ' and ')
    : trimmed;
  return separated.includes('{', 1) ? separated : separated.replace(/[^{}"]+/, pairsAsNames);
}

/** Separates names such as "Ek, A., Bo, B., and Cy, C.", in which commas separate names and their parts. */
function pairsAsNames(names: string): string {
  return names
    .split(/\sand\s/i)
    .map((name) => {
      const parts = name
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      if (parts.length < 4 || parts.length % 2 === 1) return name;
      return parts
        .flatMap((part, i) => (i % 2 === 0 ? [`${part}, ${parts[i + 1] ?? ''}`] : []))
        .join(' and ');
    })
    .join(' and ');
}

function readable(value: string, parsedCommands: ReadonlySet<string>): string {
  const text = withoutEscapedMath(value)
    .replace(LOGOS, (_all, logo: string) => logo)
    .replace(
      /\\([a-z]{1,8})(?![a-zA-Z])/g,
      (command: string, name: string) => JOURNAL_MACROS.get(name) ?? command,
    )
    // An accent on no letter is the sign itself.
    .replace(/\\([~^])\s{0,9}\{\s{0,9}\}/g, (_all, sign: string) =>
      sign === '~' ? String.raw`\textasciitilde{}` : String.raw`\textasciicircum{}`,
    )
    .replace(/\\(?:[`'"=.]|[uvHrckbdt](?![a-zA-Z]))\s{0,9}\{\s{0,9}\}/g, '')
    .replace(/ı(?=[\u0300-\u036f])/g, 'i')
    .normalize('NFC')
    .replace(/\\[([]|\\[\])]/g, '$')
    // Accents belong on a letter without its dot in TeX, and on one with its dot in Unicode.
    .replace(/(\\(?:[`'^"~=.]|[uvHrckbdt](?![a-zA-Z]))\s{0,9}\{?\s{0,9})\\([ij])(?![a-zA-Z])\s{0,9}/g, '$1$2')
    .replace(/\^\s{0,9}(?:\{\s{0,9}\\circ\s{0,9}\}|\\circ(?![a-zA-Z]))/g, '°');
  return escapeDollars(withCharacters(withFractions(text), parsedCommands));
}

const LOGOS = /\\((?:La|Bib|Xe|XeLa|Lua|LuaLa)?TeX)(?![a-zA-Z])(?:\s{0,9}\{\}|\\(?=\s))?/g;

/** Returns math that a program escaped as text: `{\$}{\backslash}alpha{\$}`, `\$\backslash\$`. */
function withoutEscapedMath(value: string): string {
  if (!/\\backslash(?![a-zA-Z])/.test(value)) return value;
  return value
    .replace(/(?:\\?\$\\backslash\s{0,9}\\?\$|\{\\backslash\})(?=[a-zA-Z])/g, '\\')
    .replace(/\{\\([$^_{}])\}/g, '$1');
}

function withCharacters(text: string, parsedCommands: ReadonlySet<string>): string {
  return text.replace(
    /\\(?:([a-zA-Z]+)(\s*)|([^a-zA-Z]))/g,
    (written: string, command: string | undefined, blanks: string, sign: string, at: number) => {
      if (command === undefined) return parsedCommands.has(sign) ? written : (SIGNS.get(sign) ?? written);
      if (parsedCommands.has(command)) return written;
      const symbol = SYMBOLS.get(command);
      if (symbol !== undefined) return /^\p{L}?$/u.test(symbol) ? symbol : symbol + blanks;
      if (FUNCTIONS.has(command)) return `${command} `;
      // The argument of a command without a character is its text: \mathbb{R}, \mbox{and}.
      return text[at + written.length] === '{' ? '' : written;
    },
  );
}

function withFractions(text: string): string {
  const fraction = /\\(?:[dt]?frac|nicefrac|sfrac)\s{0,9}/g;
  let result = '';
  let from = 0;
  for (let match = fraction.exec(text); match !== null; match = fraction.exec(text)) {
    const top = argumentAt(text, fraction.lastIndex);
    const bottom = top === undefined ? undefined : argumentAt(text, top.end);
    if (top === undefined || bottom === undefined) continue;
    result += `${text.slice(from, match.index)}${top.text}/${bottom.text}`;
    from = bottom.end;
    fraction.lastIndex = from;
  }
  return result + text.slice(from);
}

function argumentAt(
  text: string,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  if (/\d/.test(text[start] ?? '')) return { text: text[start] ?? '', end: start + 1 };
  if (text[start] !== '{') return undefined;
  let depth = 0;
  const end = Math.min(text.length, start + MAX_ARGUMENT_LENGTH);
  for (let at = start; at < end; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) {
      const inner = text.slice(start + 1, at);
      return { text: /[-+=\s]/.test(inner) ? `(${inner})` : `{${inner}}`, end: at + 1 };
    }
  }
  return undefined;
}

/** Escapes each `$` that doesn't open or close math. As in Pandoc, an amount such as `$5 and $6` is no math. */
function escapeDollars(value: string): string {
  const text = value.replace(/(?<!\\)\$\$/g, '$');
  const signs = [...text.matchAll(/\\[^]|\$/g)].flatMap(({ 0: sign, index }) =>
    sign === '$' ? [index] : [],
  );
  const isMath = new Set<number>();
  for (let i = 0; i + 1 < signs.length; i++) {
    const [open = 0, close = 0] = [signs[i], signs[i + 1]];
    if (!isFormula(text.slice(open + 1, close), text[close + 1] ?? '')) continue;
    isMath.add(open).add(close);
    i++;
  }
  return text.replace(/\\[^]|\$/g, (sign, index: number) =>
    sign === '$' && !isMath.has(index) ? String.raw`\$` : sign,
  );
}

function isFormula(inner: string, next: string): boolean {
  if (inner === '' || inner !== inner.trim()) return false;
  const hasSigns = /[\\^_=<>+]|\p{Sm}/u.test(inner);
  if (!hasSigns && (/\d/.test(next) || (/^\d[\d.,]*\s/.test(inner) && /\p{L}{2}/u.test(inner)))) return false;
  // Braces that open outside the formula end it.
  let depth = 0;
  for (const letter of inner.replace(/\\[^]/g, '')) {
    if (letter === '{') depth++;
    else if (letter === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Fields of a journal's article that hold the ID if the journal is arXiv. */
const ARTICLE_FIELDS: ReadonlySet<string> = new Set(['number', 'pages', 'volume']);

/** Returns the arXiv ID that the fields of an entry name; undefined if there is none. */
export function entryArxiv(fields: readonly EntryField[]): string | undefined {
  const values = new Map(fields.map(({ name, value }) => [name, value.replace(/[{}"]/g, '').trim()]));
  const isOfArxiv = /^(?:arxiv|corr)\b/i.test(values.get('journal') ?? values.get('journaltitle') ?? '');
  const type = values.get('eprinttype') ?? values.get('archiveprefix') ?? 'arxiv';
  const eprint = /^arxiv$/i.test(type) ? parseArxiv(values.get('eprint') ?? '') : undefined;
  if (eprint !== undefined) return eprint;
  for (const name of [
    'journal',
    'journaltitle',
    'volume',
    'number',
    'pages',
    'howpublished',
    'publisher',
    'note',
    'url',
    'doi',
  ]) {
    const value = values.get(name) ?? '';
    const bare = isOfArxiv && ARTICLE_FIELDS.has(name) ? parseArxiv(value) : undefined;
    if (bare !== undefined) return bare;
    const [, number = ''] =
      /(?:arxiv\s{0,3}(?:(?:e-?prints?|preprint)\s{0,3})?[:.]?\s{0,3}|arxiv\.org\/(?:abs|pdf|html)\/|\babs\/)([\w.-]{2,20}\/\d{7}|\d{4}\.\d{4,5})/i.exec(
        value,
      ) ?? [];
    const arxivId = parseArxiv(number);
    if (arxivId !== undefined) return arxivId;
  }
  return undefined;
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  [',', '\u2009'],
  [';', ' '],
  [':', ' '],
  ['>', ' '],
  [' ', ' '],
  ['\n', ' '],
  ['\\', ' '],
  ['!', ''],
  ['/', ''],
  ['-', ''],
  ['@', ''],
  ['|', '‖'],
]);

const FUNCTIONS: ReadonlySet<string> = new Set(
  'arccos arcsin arctan cos cosh cot deg det dim exp gcd inf ker lim ln log max min mod sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Characters of commands that citation-js doesn't know; empty for commands that only change the layout. */
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AA: 'Å',
    aa: 'å',
    Aring: 'Å',
    S: '§',
    P: '¶',
    pounds: '£',
    euro: '€',
    dag: '†',
    ddag: '‡',
    dots: '…',
    ldots: '…',
    cdots: '⋯',
    textquotedblright: '”',
    circ: '∘',
    degree: '°',
    textdegree: '°',
    celsius: '°C',
    degreeCelsius: '°C',
    micro: 'μ',
    ohm: 'Ω',
    angstrom: 'Å',
    percent: '%',
    sim: '∼',
    simeq: '≃',
    approx: '≈',
    cong: '≅',
    equiv: '≡',
    propto: '∝',
    times: '×',
    div: '÷',
    cdot: '·',
    pm: '±',
    mp: '∓',
    ast: '∗',
    star: '⋆',
    bullet: '•',
    oplus: '⊕',
    otimes: '⊗',
    dagger: '†',
    leq: '≤',
    le: '≤',
    leqslant: '≤',
    geq: '≥',
    ge: '≥',
    geqslant: '≥',
    lesssim: '≲',
    gtrsim: '≳',
    ll: '≪',
    gg: '≫',
    ne: '≠',
    neq: '≠',
    in: '∈',
    notin: '∉',
    subset: '⊂',
    subseteq: '⊆',
    cup: '∪',
    cap: '∩',
    setminus: '∖',
    emptyset: '∅',
    forall: '∀',
    exists: '∃',
    neg: '¬',
    wedge: '∧',
    vee: '∨',
    to: '→',
    rightarrow: '→',
    longrightarrow: '→',
    leftarrow: '←',
    leftrightarrow: '↔',
    Rightarrow: '⇒',
    Leftrightarrow: '⇔',
    mapsto: '↦',
    uparrow: '↑',
    downarrow: '↓',
    infty: '∞',
    partial: '∂',
    nabla: '∇',
    sum: '∑',
    prod: '∏',
    int: '∫',
    sqrt: '√',
    prime: '′',
    hbar: 'ħ',
    ell: 'ℓ',
    Re: 'ℜ',
    Im: 'ℑ',
    aleph: 'ℵ',
    perp: '⊥',
    parallel: '∥',
    angle: '∠',
    langle: '⟨',
    rangle: '⟩',
    lvert: '|',
    rvert: '|',
    vert: '|',
    mid: '|',
    slash: '/',
    quad: ' ',
    qquad: ' ',
    enspace: ' ',
    space: ' ',
    newline: ' ',
    par: ' ',
    linebreak: ' ',
    left: '',
    right: '',
    big: '',
    Big: '',
    bigl: '',
    bigr: '',
    displaystyle: '',
    textstyle: '',
    limits: '',
    noindent: '',
    protect: '',
    relax: '',
    small: '',
    footnotesize: '',
    large: '',
    normalfont: '',
    upshape: '',
    allowbreak: '',
    slshape: '',
    mdseries: '',
  }),
);
