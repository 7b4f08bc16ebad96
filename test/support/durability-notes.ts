import type { DocumentInput } from '../../src/index/store/sources/sources-api.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';

/** Letters that replace the digits. */
const LETTERS = 'bcdfghjklm';

/** Returns a word of letters for a number, two per digit. It is more than one edit away from any other such word. */
export function versionWord(version: number): string {
  return `z${String(version)
    .padStart(6, '0')
    .replaceAll(/\d/g, (digit) => (LETTERS[Number(digit)] ?? '').repeat(2))}q`;
}

/** Returns the number of the first such word in a text. */
export function readVersion(text: string): number {
  const word = /\bz([b-m]+)q\b/.exec(text)?.[1] ?? '';
  return Number(word.replaceAll(/(.)\1/g, (letters) => String(LETTERS.indexOf(letters.charAt(0)))));
}

/** Returns a text of one to 120 sentences that all contain the version's word. */
export function versionText(version: number): string {
  const sentences = 1 + ((version * 21) % 120);
  return Array.from(
    { length: sentences },
    (_, i) => `Entry ${String(i)} of the log was written by ${versionWord(version)} in plain ink.`,
  ).join(version % 3 === 0 ? '\n\n' : ' ');
}

/** Returns a text as input for a notebook. */
export function makeInput(text: string, key: string): DocumentInput {
  return {
    key,
    uri: `file:///notes/${key}`,
    hash: `${String(text.length)}:${text.slice(0, 80)}`,
    size: text.length,
    modifiedAt: 1,
    document: readPlainText(text, 'text/plain'),
  };
}
