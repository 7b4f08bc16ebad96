import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { check } from 'recheck';
import type { Pattern } from './patterns.ts';
import { unboundedParts } from './pattern-parts.ts';

// The program is the same as the script, and several times faster; it is not there for every system.
process.env.RECHECK_BACKEND ??= hasProgram() ? 'native' : 'pure';

/** How long an attack is looked for, in milliseconds. */
const patience = 5000;

/** A pattern for which there is an attack, as an expression of JavaScript. */
export interface SlowPattern extends Pattern {
  readonly part: string;
  readonly attack: string;
}

/** The patterns that take more than linear time: for which an attack is found that does so when it is run. */
export async function slowPatterns(patterns: readonly Pattern[]): Promise<SlowPattern[]> {
  const parts = patterns.flatMap((pattern) =>
    unboundedParts(pattern.source, pattern.flags).map((part) => ({ ...pattern, part })),
  );
  const analyses = new Map<string, Promise<Attack | undefined>>();
  const slow: SlowPattern[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let part = parts[next++]; part !== undefined; part = parts[next++]) {
      const flags = part.flags.replaceAll(/[gy]/g, '');
      const key = `${flags} ${part.part}`;
      const analysis = analyses.get(key) ?? attackOn(part.part, flags);
      analyses.set(key, analysis);
      const attack = await analysis;
      if (attack !== undefined && (attack.isExponential || isSlow(part, attack.text)))
        slow.push({ ...part, attack: attack.text });
    }
  };
  // The first call starts the program, which the others then share.
  await check('a', '');
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return slow;
}

interface Attack {
  /** An expression of JavaScript. */
  readonly text: string;
  /** No text of any length can be tried. */
  readonly isExponential: boolean;
}

/** An attack on a pattern; undefined where none is found in the time that there is. */
async function attackOn(source: string, flags: string): Promise<Attack | undefined> {
  const found = await check(source, flags, { timeout: patience });
  if (found.status !== 'vulnerable') return undefined;
  return { text: found.attack.pattern, isExponential: found.complexity.type === 'exponential' };
}

/** The texts of an attack that are tried are of so many UTF-16 code units. */
const shortest = 100;
const longest = 320_000;
/** What takes less, in milliseconds, tells nothing of how it grows. */
const measurable = 20;
/** Twice the text takes linear time twice, and quadratic time four times as long. */
const growth = 3;

/** Whether an attack takes more than linear time, twice in a row as its length doubles. */
function isSlow({ source, flags }: Pattern, attack: string): boolean {
  const pattern = new RegExp(source, flags);
  let before = Infinity;
  let grown = 0;
  for (let length = shortest; length <= longest; length *= 2) {
    const text = textOf(attack, length);
    const time = Math.min(timeOf(pattern, text), timeOf(pattern, text));
    grown = time > measurable && time > growth * before ? grown + 1 : 0;
    if (grown === 2 || time > 1000) return true;
    before = Math.max(time, 0.01);
  }
  return false;
}

function timeOf(pattern: RegExp, text: string): number {
  const { user, system } = process.cpuUsage();
  // As the code does: all matches of a pattern that is global, else the first.
  text.replace(pattern, '');
  const used = process.cpuUsage();
  return (used.user + used.system - user - system) / 1000;
}

/** The text of an attack such as `'a' + 'b'.repeat(100)`, of about so many UTF-16 code units. */
function textOf(attack: string, length: number): string {
  const parts = Array.from(
    attack.matchAll(/'((?:[^'\\]|\\.)*)'(\.repeat)?/g),
    ([, quoted = '', isPumped]) => ({
      words: quoted.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, ...found: string[]) =>
        unescaped(found),
      ),
      isPumped: isPumped !== undefined,
    }),
  );
  const pumped = parts.reduce((sum, { words, isPumped }) => sum + (isPumped ? words.length : 0), 0);
  return parts
    .map(({ words, isPumped }) => (isPumped ? words.repeat(Math.ceil(length / pumped)) : words))
    .join('');
}

function unescaped([long, short, letter = '']: readonly (string | undefined)[]): string {
  const code = long ?? short;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const named = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', b: '\b', 0: '\0' } as Record<string, string>;
  return named[letter] ?? letter;
}

function hasProgram(): boolean {
  const name = { darwin: 'macos', linux: 'linux', win32: 'windows' }[process.platform as string];
  try {
    const { resolve } = createRequire(import.meta.url);
    return existsSync(resolve(`recheck-${name ?? ''}-${process.arch}/package.json`));
  } catch {
    return false;
  }
}
