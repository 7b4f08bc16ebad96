import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { check } from 'recheck';
import type { Pattern } from './patterns.ts';
import { root } from './paths.mjs';
import { unboundedParts } from './pattern-parts.ts';

const { resolve } = createRequire(import.meta.url);

// The program is the same as the script, and several times faster; it is not there for every system.
process.env.RECHECK_BACKEND ??= hasProgram() ? 'native' : 'pure';

/**
 * Time limit of the search for an attack, in milliseconds. It is long, so that a busy machine finds the same attacks.
 * Limits on counted steps instead find fewer attacks and take longer.
 */
const SEARCH_TIMEOUT_MS = 30_000;

/** A pattern for which there is an attack, as an expression of JavaScript. */
interface SlowPattern extends Pattern {
  readonly part: string;
  readonly attack: string;
}

/**
 * Attacks on parts of patterns, by their flags and exact text; null if there is none. `node
 * test/support/write-known-attacks.ts` writes them. Results of another version are ignored.
 */
export interface KnownAttacks {
  readonly recheck: string;
  readonly parts: Readonly<Record<string, Attack | null>>;
}

export const knownAttacksFile = join(root, 'test', 'fixtures', 'known-attacks.json');

/** Version of the library that searches for attacks. */
export const recheckVersion = (
  JSON.parse(readFileSync(resolve('recheck/package.json'), 'utf8')) as { version: string }
).version;

/** Returns the results of this version, by the keys of the parts. */
export function knownAttacks(): Map<string, Attack | null> {
  const { recheck, parts } = JSON.parse(readFileSync(knownAttacksFile, 'utf8')) as KnownAttacks;
  return new Map(recheck === recheckVersion ? Object.entries(parts) : []);
}

/** Returns the patterns for which no search for attacks is saved. */
export function findUnknown(patterns: readonly Pattern[]): Pattern[] {
  const known = knownAttacks();
  return findParts(patterns).filter(({ key }) => !known.has(key));
}

/** Returns the patterns that need more than linear time on a known or new attack when it is run. */
export async function slowPatterns(patterns: readonly Pattern[]): Promise<SlowPattern[]> {
  const attacks = await attacksOn(patterns, knownAttacks());
  return findParts(patterns).flatMap((part) => {
    const attack = attacks.get(part.key);
    if (!attack || !(attack.isExponential || isSlow(part, attack.text))) return [];
    return [{ ...part, attack: attack.text }];
  });
}

/** Returns the parts of patterns that may need more than linear time, each with its flags and text as its key. */
function findParts(
  patterns: readonly Pattern[],
): (Pattern & { part: string; flagsOfPart: string; key: string })[] {
  return patterns.flatMap((pattern) =>
    unboundedParts(pattern.source, pattern.flags).map((part) => {
      const flagsOfPart = pattern.flags.replaceAll(/[gy]/g, '');
      return { ...pattern, part, flagsOfPart, key: `${flagsOfPart} ${part}` };
    }),
  );
}

/**
 * Returns attacks on the parts of patterns by their keys; null if none is found.
 *
 * @param known results that aren't searched again
 */
export async function attacksOn(
  patterns: readonly Pattern[],
  known: ReadonlyMap<string, Attack | null>,
): Promise<Map<string, Attack | null>> {
  const parts = new Map(findParts(patterns).map((part) => [part.key, part]));
  const attacks = new Map<string, Attack | null>();
  const unknown = [...parts.values()].filter(({ key }) => {
    const attack = known.get(key);
    if (attack !== undefined) attacks.set(key, attack);
    return attack === undefined;
  });
  // The first call starts the program, which the others then share.
  if (unknown.length > 0) await check('a', '');
  const lane = async (): Promise<void> => {
    for (let pattern = unknown.shift(); pattern !== undefined; pattern = unknown.shift()) {
      const diagnostics = await check(pattern.part, pattern.flagsOfPart, { timeout: SEARCH_TIMEOUT_MS });
      const isVulnerable = diagnostics.status === 'vulnerable';
      attacks.set(
        pattern.key,
        isVulnerable
          ? { text: diagnostics.attack.pattern, isExponential: diagnostics.complexity.type === 'exponential' }
          : null,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return attacks;
}

interface Attack {
  /** An expression of JavaScript. */
  readonly text: string;
  /** `true` if no length of the text can be tried. */
  readonly isExponential: boolean;
}

/** Shortest and longest texts of an attack to try, in UTF-16 code units. */
const shortest = 100;
const longest = 320_000;
/** Minimum time whose growth can be measured, in milliseconds. */
const measurable = 20;
/** Growth limit for twice the text: linear time doubles, and quadratic time quadruples. */
const growth = 3;

/** Reports whether an attack needs more than linear time, twice in a row as its length doubles. */
function isSlow({ source, flags }: Pattern, attack: string): boolean {
  const pattern = new RegExp(source, flags);
  let before = Infinity;
  let grown = 0;
  for (let length = shortest; length <= longest; length *= 2) {
    const text = attackText(attack, length);
    const time = Math.min(measureTime(pattern, text), measureTime(pattern, text));
    grown = time > measurable && time > growth * before ? grown + 1 : 0;
    if (grown === 2) return true;
    before = Math.max(time, 0.01);
  }
  return false;
}

function measureTime(pattern: RegExp, text: string): number {
  const { user, system } = process.cpuUsage();
  // Finds all matches of a global pattern, or else the first, as the code does.
  text.replace(pattern, '');
  const used = process.cpuUsage();
  return (used.user + used.system - user - system) / 1000;
}

/** Returns the text of an attack such as `'a' + 'b'.repeat(100)` with about the given length in UTF-16 code units. */
function attackText(attack: string, length: number): string {
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
    return existsSync(resolve(`recheck-${name ?? ''}-${process.arch}/package.json`));
  } catch {
    return false;
  }
}
