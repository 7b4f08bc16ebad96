import { longestAscending } from './longest-ascending.ts';

/**
 * Applies the changes between two versions of a text to a third that is based on the first, line by line. If both
 * changed the same lines, the third wins.
 */
export function mergeLines(base: string, theirs: string, ours: string): string {
  return merge(base, theirs, ours, (_, ourLines) => ourLines);
}

/**
 * Merges like `mergeLines`, but keeps both versions of a conflict with conflict markers, theirs under the name of its
 * author.
 */
export function mergeBoth(base: string, theirs: string, ours: string, who: string): string {
  if (theirs === base) return ours;
  return merge(base, theirs, ours, (fresh, ourLines) => {
    if (isSame(fresh, ourLines)) return ourLines;
    return ['<<<<<<<', ...ourLines, '=======', ...fresh, `>>>>>>> ${who.replaceAll(/\s+/g, ' ')}`];
  });
}

/** Conflict in a text. Line numbers start at 0 and include the markers. */
export interface SideBySide {
  /** Line of `<<<<<<<`, before this text's own lines. */
  readonly start: number;
  /** Line of `=======`, before the other lines. */
  readonly middle: number;
  /** Line of `>>>>>>>`. */
  readonly end: number;
  /** Author of the other lines; '' if unknown. */
  readonly who: string;
}

/** Returns the conflicts that `mergeBoth` marked. */
export function findSideBySide(text: string): SideBySide[] {
  const conflicts: SideBySide[] = [];
  let [start, middle] = [-1, -1];
  for (const [number, line] of text.split(/\r?\n/).entries()) {
    if (/^<{7}(?: |$)/.test(line)) [start, middle] = [number, -1];
    else if (line === '=======' && start >= 0 && middle < 0) middle = number;
    else if (/^>{7}(?: |$)/.test(line) && middle >= 0) {
      conflicts.push({ start, middle, end: number, who: line.slice(8) });
      [start, middle] = [-1, -1];
    }
  }
  return conflicts;
}

function merge(
  base: string,
  theirs: string,
  ours: string,
  ofBoth: (fresh: readonly string[], ourLines: readonly string[]) => readonly string[],
): string {
  if (ours === base) return theirs;
  const [from, to, own] = [base, theirs, ours].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  const [inTheirs, inOurs] = [matches(from, to), matches(from, own)];
  const merged: string[] = [];
  let [at, theirAt, ownAt] = [0, 0, 0];
  for (let next = 0; next <= from.length; next++) {
    const isEnd = next === from.length;
    const their = isEnd ? to.length : inTheirs[next];
    const mine = isEnd ? own.length : inOurs[next];
    // A line that all three versions contain ends a changed range.
    if (their === undefined || mine === undefined) continue;
    const [old, fresh, ourLines] = [from.slice(at, next), to.slice(theirAt, their), own.slice(ownAt, mine)];
    merged.push(...(isSame(old, ourLines) ? fresh : isSame(old, fresh) ? ourLines : ofBoth(fresh, ourLines)));
    if (isEnd) break;
    merged.push(from[next] ?? '');
    [at, theirAt, ownAt] = [next + 1, their + 1, mine + 1];
  }
  return merged.join('\n');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/**
 * Returns the matching line in another text for each line, in ascending order: equal lines at both ends, and between
 * them lines that are unique in both, in the same order, with equal neighbors.
 */
function matches(from: readonly string[], to: readonly string[]): (number | undefined)[] {
  const matched = new Array<number | undefined>(from.length).fill(undefined);
  const pair = (start: number, other: number, end: number, otherEnd: number): void => {
    let [a, b, c, d] = [start, other, end, otherEnd];
    for (; a < c && b < d && from[a] === to[b]; a++, b++) matched[a] = b;
    for (; c > a && d > b && from[c - 1] === to[d - 1]; c--, d--) matched[c - 1] = d - 1;
  };
  let [last, lastOther] = [0, 0];
  for (const [a, b] of longestAscending(uniquePairs(from, to))) {
    if (a < last || b < lastOther) continue;
    pair(last, lastOther, a, b);
    matched[a] = b;
    [last, lastOther] = [a + 1, b + 1];
  }
  pair(last, lastOther, from.length, to.length);
  return matched;
}

function uniquePairs(from: readonly string[], to: readonly string[]): [number, number][] {
  const places = (lines: readonly string[]): Map<string, number> => {
    const indexByLine = new Map<string, number>();
    for (const [at, line] of lines.entries()) indexByLine.set(line, indexByLine.has(line) ? -1 : at);
    return indexByLine;
  };
  const others = places(to);
  return [...places(from)].flatMap(([line, at]): [number, number][] => {
    const other = others.get(line) ?? -1;
    return at < 0 || other < 0 ? [] : [[at, other]];
  });
}
