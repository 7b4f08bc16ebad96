import type { TextFormat } from '../notebook/document.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import { codeBlocks } from './code-blocks.ts';
import type { QuestionKind } from './question-kinds.ts';
import { isHeader } from './table-header.ts';
import { wordsOf } from './terms.ts';
import type { Unit } from './units.ts';
import { unitsOf } from './units.ts';

const FEW_WORDS = 4;
const MANY_LINES = 20;
/** What is answered by words rather than by code. */
const TOLD_IN_WORDS: ReadonlySet<QuestionKind> = new Set([
  'comparison',
  'definition',
  'list',
  'reason',
  'time',
]);
/** A block of HTML within Markdown lays out badges, pictures and the words of sponsors; of more words it tells something. */
const RAW_HTML = /^<\/?(?:a|br|center|div|h\d|img|p|picture|sub|sup)\b/i;
const WORDS_OF_LAYOUT = 30;
/** Code of one line that fetches a package: every page of one has it. */
const INSTALLS =
  /^[ \t>]*(?:`{3,}|~{3,})[^\n]*\n[ \t$>#]*(?:npm|pnpm|yarn|bun|npx|pip3?|pipx|uv|cargo|gem|brew|apt|apt-get|sudo apt|go)\s[^\n]*\n[ \t]*(?:`{3,}|~{3,})?\s*$/;
const LONGEST_RUNNING_TITLE = 9;
/** Dots that lead to a page number. */
const LEADERS = /(?:\.\s?){5,}/;

/** The units of a passage without what says nothing: badges, links alone, running titles. Code comes in blocks. */
export function tellingUnits({ text, format }: FoundPassage): readonly Unit[] {
  if (format === 'code') return codeBlocks(text).map((block) => ({ ...block, kind: 'line' as const }));
  return unitsOf(text, format).filter((unit) => !isBare(text, unit, format));
}

/** Whether a unit can be read alone: not the end of a block of code that was cut, nor the header of a table. */
export function isQuotable(text: string, unit: Unit): boolean {
  return !isTail(text, unit) && !(unit.kind === 'row' && isHeader(text, unit.end));
}

/** How well a unit reads as an answer by its form alone. */
export function formOf(
  { kind }: Unit,
  text: string,
  words: number,
  { kind: asked, asksToInstall }: { readonly kind: QuestionKind; readonly asksToInstall: boolean },
): number {
  const lines = kind === 'fence' ? text.split('\n').length : 0;
  const isCut = kind === 'fence' && !/\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/.test(text);
  return (
    (words < FEW_WORDS && kind !== 'row' ? 0.5 : 1) *
    (text.endsWith('?') ? 0.5 : 1) *
    (lines > MANY_LINES ? MANY_LINES / lines : 1) *
    (isCut ? 0.5 : 1) *
    (kind === 'fence' && INSTALLS.test(text) && !asksToInstall ? 0.4 : 1) *
    (kind === 'fence' && TOLD_IN_WORDS.has(asked) ? 0.6 : 1)
  );
}

/** Whether a unit is the end of a block of code whose beginning stands in no passage. */
function isTail(text: string, { kind, start }: Unit): boolean {
  return kind === 'fence' && !/^[ \t>]*(?:`{3}|~{3})[^\n]*\n[ \t]*\S/.test(text.slice(start));
}

/** Whether a unit holds nothing but links, images and tags, as badges and tables of contents do. */
function isBare(text: string, { start, end, kind }: Unit, format: TextFormat): boolean {
  if (kind === 'heading' || kind === 'fence' || kind === 'row') return false;
  const unit = text.slice(start, end);
  if (LEADERS.test(unit) || (format === 'prose' && isRunningTitle(unit))) return true;
  if (!/[[<]/.test(unit)) return false;
  const rest = unit
    .replace(/!?\[(?:[^[\]]|\[[^\]]*\](?:\([^)]*\))?)*\](?:\([^)]*\)|\[[^\]]*\])/g, ' ')
    .replace(/<[^>]*>|https?:\/\/\S+|!?\[[^\]]*\]?\(?/g, ' ');
  return wordsOf(rest).length < (RAW_HTML.test(unit) ? WORDS_OF_LAYOUT : 2);
}

/** Whether a unit is the line at the edge of a page: a few words, most with a capital, and the page's number. */
function isRunningTitle(unit: string): boolean {
  const words = unit.split(/\s+/);
  if (words.length > LONGEST_RUNNING_TITLE || !/^\p{Lu}[^.!?;|\n]*\s\d{1,4}$/u.test(unit)) return false;
  return 2 * words.filter((word) => /^\p{Lu}/u.test(word)).length >= words.length;
}
