import { clozeParts } from '../notebook/cards.ts';
import type { DeckExport } from './api.ts';

/** A deck as separated values: a card a line, its columns named in the first. */
export function writeCardTable({ cards }: DeckExport): Uint8Array {
  const rows = cards.map(({ kind, front, back, citation }) => {
    const parts = clozeParts(front);
    const isCloze = kind === 'cloze';
    const asked = isCloze ? parts.map(({ words, isGap }) => (isGap ? '[…]' : words)).join('') : front;
    const gaps = [...new Set(parts.flatMap(({ words, isGap }) => (isGap ? [words] : [])))].join(', ');
    const answer = isCloze ? [gaps, back].filter((part) => part !== '').join('\n\n') : back;
    return [asked, answer, citation?.title ?? '', citation?.place ?? '', citation?.quote ?? ''];
  });
  const lines = [['Front', 'Back', 'Source', 'Place', 'Quote'], ...rows];
  // By its first mark programs know the encoding.
  return new TextEncoder().encode(
    `\uFEFF${lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`,
  );
}

/** A cell that no program takes for a formula: what would begin one has an apostrophe before it. */
function cell(text: string): string {
  const harmless = /^[\s\u200B\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
