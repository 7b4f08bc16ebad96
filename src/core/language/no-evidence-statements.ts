import { cellSpans, isTableRow } from './markdown-lines.ts';
import { ALL_LANGUAGES } from './words/languages.ts';
import { wholeWordsOfPacks } from './words/pack-words.ts';
import { wordsInRole } from './words/role-words.ts';

/** Phrases that say that the sources lack something, in the usual languages of answers. */
const LACKS = ALL_LANGUAGES.flatMap(({ noEvidence }) => noEvidence?.statements ?? []);
/** The agreed text for a table cell that the sources don't answer. */
export const NOT_IN_SOURCES = 'not in the sources';

/** Complete cells or entries with the same meaning, in the usual languages of answers. */
const SHORT_LACKS = new Set([
  NOT_IN_SOURCES,
  ...ALL_LANGUAGES.flatMap(({ noEvidence }) => noEvidence?.cells.split('; ') ?? []),
]);
const AROUND_LACK = /^[\s*_(["“‘「（—–-]+|[\s*_)\]"”’」）.。!—–-]+$/gu;

/** Start of another statement within a sentence. */
export const TURN = new RegExp(
  `[;；]\\s*|[,，]\\s*(?=(?:${wordsInRole('contrasts').join('|')})(?!\\p{L})|${wholeWordsOfPacks(({ noEvidence }) => noEvidence?.turns)})|\\s[–—]\\s`,
  'iu',
);

/**
 * Blanks out the statements of a sentence that say what the sources lack, because no source can support them. Offsets
 * stay the same.
 */
export function stripNoEvidenceStatements(sentence: string): string {
  if (SHORT_LACKS.has(sentence.toLowerCase().replaceAll(AROUND_LACK, ''))) return ' '.repeat(sentence.length);
  if (isTableRow(sentence)) return stripNoEvidenceCells(sentence);
  if (!LACKS.some((pattern) => pattern.test(sentence))) return sentence;
  let rest = sentence;
  let stated = '';
  while (rest !== '') {
    const turn = TURN.exec(rest);
    const end = turn === null ? rest.length : turn.index + turn[0].length;
    const part = rest.slice(0, end);
    stated += LACKS.some((pattern) => pattern.test(part)) ? ' '.repeat(end) : part;
    rest = rest.slice(end);
  }
  return stated;
}

function stripNoEvidenceCells(row: string): string {
  let stated = row;
  for (const { start, end } of cellSpans(row))
    stated = stated.slice(0, start) + stripNoEvidenceStatements(row.slice(start, end)) + stated.slice(end);
  return stated;
}
