// Matches globs in time proportional to the length of the pattern times that of the path. Patterns come from
// repositories, shared lists, and servers, so they must not be able to block the program.

/** Pattern of one character or of any number of characters in a name. */
type Piece = number | typeof anyCharacter | typeof anyCharacters | CharacterClass;

const anyCharacter = Symbol('?');
const anyCharacters = Symbol('*');

interface CharacterClass {
  readonly isNegated: boolean;
  /** Ranges of UTF-16 code units, including both ends. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Pattern of a name, or `**`, which matches any number of names. */
type NamePattern = readonly Piece[] | typeof anyNames;

export const anyNames = Symbol('**');

/** Pattern of a path, as patterns of its names. */
export type PathPattern = readonly NamePattern[];

/** Treatment of a `[` without a closing bracket: a literal character, or a pattern that matches nothing. */
type Unclosed = 'literal' | 'nothing';

/**
 * Returns a function that reports whether a path matches one of the globs in the editor's syntax: `*` and `?` match
 * characters of a name, `**` any number of names, `[a-z]` and `[!a-z]` one character, `{a,b}` one of several
 * alternatives; `\\` escapes a character. Once the globs with braces expanded exceed `limit` characters, the remaining
 * globs match nothing.
 */
export function globMatcher(globs: readonly string[], limit: number): (path: string) => boolean {
  const patterns: PathPattern[] = [];
  let remainingCharacters = limit;
  for (const glob of globs)
    for (const expandedGlob of expandBraces(glob, remainingCharacters) ?? []) {
      patterns.push(readPath(expandedGlob, 'literal'));
      remainingCharacters -= expandedGlob.length;
    }
  return (path) => {
    const names = path.split('/');
    // A trailing `*` also matches a folder.
    const asFile = names.at(-1) === '' ? names.slice(0, -1) : names;
    return patterns.some(
      (pattern) =>
        matchesPath(pattern, names) ||
        (asFile !== names && endsInStar(pattern) && matchesPath(pattern, asFile)),
    );
  };
}

function endsInStar(pattern: PathPattern): boolean {
  const last = pattern.at(-1);
  return last !== undefined && last !== anyNames && last.at(-1) === anyCharacters;
}

/** Parses the pattern of a path without braces. `unclosed` is the treatment of a class without an end. */
export function readPath(pattern: string, unclosed: Unclosed): PathPattern {
  return pattern.split('/').map((name) => (/^\*{2,}$/.test(name) ? anyNames : readName(name, unclosed)));
}

/** Reports whether a path, split into names, matches a pattern. */
export function matchesPath(pattern: PathPattern, names: readonly string[]): boolean {
  return fits(
    pattern,
    anyNames,
    names.length,
    (part, index) => part !== anyNames && matchesName(part, names[index] ?? ''),
  );
}

function matchesName(pattern: readonly Piece[], name: string): boolean {
  // An empty name, before a leading or after a trailing slash, doesn't match `*`.
  if (name === '') return pattern.length === 0;
  return fits(pattern, anyCharacters, name.length, (piece, index) => isOne(piece, name.charCodeAt(index)));
}

/** Reports whether a sequence of `length` items matches a pattern in which `star` matches any number of items. */
function fits<P>(
  pattern: readonly P[],
  star: P,
  length: number,
  isFit: (part: P, index: number) => boolean,
): boolean {
  // On a mismatch, only the last star needs to match one more item. Backtracking to earlier stars can't help.
  let at = 0;
  let last = -1;
  let steps = 0;
  for (let index = 0; index < length;) {
    const part = pattern[at];
    if (part === star) {
      last = at++;
      steps = index;
    } else if (part !== undefined && isFit(part, index)) {
      at++;
      index++;
    } else if (last >= 0) {
      at = last + 1;
      index = ++steps;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}

function isOne(piece: Piece, code: number): boolean {
  if (typeof piece === 'number') return piece === code;
  if (typeof piece === 'symbol') return true;
  return piece.ranges.some(([first, last]) => code >= first && code <= last) !== piece.isNegated;
}

function readName(name: string, unclosed: Unclosed): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at];
    if (character === '*') {
      if (pieces.at(-1) !== anyCharacters) pieces.push(anyCharacters);
    } else if (character === '?') pieces.push(anyCharacter);
    else if (character === '[') {
      const parsedClass = readClass(name, at);
      if (parsedClass !== undefined) {
        pieces.push(parsedClass.class);
        at = parsedClass.end;
      } else if (unclosed === 'literal') pieces.push(name.charCodeAt(at));
      else return [NOTHING];
    } else {
      if (character === '\\' && at + 1 < name.length) at++;
      pieces.push(name.charCodeAt(at));
    }
  }
  return pieces;
}

/** Maximum length of a character class. A bracket that isn't closed within it starts no class. */
const MAX_CLASS_LENGTH = 200;

const NOTHING: CharacterClass = { isNegated: false, ranges: [] };

/** Returns the class that begins at a bracket, and its end; undefined if it isn't closed. */
function readClass(name: string, start: number): { class: CharacterClass; end: number } | undefined {
  const ranges: [number, number][] = [];
  const isNegated = name[start + 1] === '!' || name[start + 1] === '^';
  const first = isNegated ? start + 2 : start + 1;
  for (let at = first; at < Math.min(name.length, first + MAX_CLASS_LENGTH); at++) {
    if (name[at] === ']' && at > first) return { class: { isNegated, ranges }, end: at };
    const named = /^\[:([a-z]{5,6}):\]/.exec(name.slice(at, at + 10));
    if (named !== null) {
      const members = NAMED_CLASSES[named[1] ?? ''];
      if (members === undefined) return undefined;
      for (let index = 0; index < members.length; index += 2)
        ranges.push([members.charCodeAt(index), members.charCodeAt(index + 1)]);
      at += named[0].length - 1;
      continue;
    }
    if (name[at] === '\\' && at + 1 < name.length) at++;
    const from = name.charCodeAt(at);
    const isRange = name[at + 1] === '-' && at + 2 < name.length && name[at + 2] !== ']';
    if (isRange) at += name[at + 2] === '\\' && at + 3 < name.length ? 3 : 2;
    // A reversed range matches only its first character, as in git.
    ranges.push([from, isRange && name.charCodeAt(at) > from ? name.charCodeAt(at) : from]);
  }
  return undefined;
}

/**
 * Members of classes such as `[:alpha:]`, in pairs of first and last. Only ignore files use them, and these ignore
 * case.
 */
const NAMED_CLASSES: Readonly<Record<string, string | undefined>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  blank: '  \t\t',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'AZaz',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '  \t\r',
  upper: 'AZaz',
  xdigit: '09AFaf',
};

/** Expands the braces of a glob; undefined if the results exceed `limit` characters together. */
function expandBraces(glob: string, limit: number): string[] | undefined {
  if (glob.length > limit) return undefined;
  const done: string[] = [];
  const open = [glob];
  let length = glob.length;
  for (let pattern = open.pop(); pattern !== undefined; pattern = open.pop()) {
    const braces = firstBraces(pattern);
    if (braces === undefined) {
      done.push(pattern);
      continue;
    }
    const { start, end, parts } = braces;
    const more = parts.map((part) => pattern.slice(0, start) + part + pattern.slice(end + 1)).reverse();
    for (const { length: added } of more) length += added;
    if (length > limit) return undefined;
    open.push(...more);
  }
  return done;
}

interface Braces {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** Returns the first closed braces with several parts, outermost first. */
function firstBraces(glob: string): Braces | undefined {
  const closing = closingBraces(glob);
  for (const [start, { end, commas }] of closing) {
    if (commas.length === 0) continue;
    const bounds = [start, ...commas, end];
    const parts = bounds.slice(1).map((bound, index) => glob.slice((bounds[index] ?? 0) + 1, bound));
    return { start, end, parts };
  }
  return undefined;
}

/** Returns the closing position and the commas of each pair of braces, by its opening position. */
function closingBraces(glob: string): Map<number, { end: number; readonly commas: number[] }> {
  const closed = new Map<number, { end: number; readonly commas: number[] }>();
  const open: { readonly start: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at++)
    switch (glob[at]) {
      case '\\':
        at++;
        break;
      case '{':
        open.push({ start: at, commas: [] });
        break;
      case ',':
        open.at(-1)?.commas.push(at);
        break;
      case '}': {
        const innermost = open.pop();
        if (innermost !== undefined) closed.set(innermost.start, { end: at, commas: innermost.commas });
        break;
      }
      case undefined:
    }
  return new Map([...closed].sort(([a], [b]) => a - b));
}
