import { writeCsv } from '../../export/service/tables.ts';
import { clozeParts } from '../../../core/language/cloze.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { writeAnki } from './anki.ts';
import type { DeckExport, DeckExportApi } from './export-api.ts';

/** The export process's handlers for decks. */
export const deckExportHandlers: Handlers<DeckExportApi> = {
  writeDeck: ({ format, ...deck }) => (format === 'apkg' ? writeAnki(deck) : writeCardTable(deck)),
};

/** Converts a deck to CSV: one card per line, with the column names in the first line. */
export function writeCardTable({ deck, cards }: DeckExport): Uint8Array {
  const rows = cards.map(({ kind, front, back, citation }) => {
    const parts = clozeParts(front);
    const isCloze = kind === 'cloze';
    const question = isCloze ? parts.map(({ words, isGap }) => (isGap ? '[…]' : words)).join('') : front;
    const gaps = [...new Set(parts.flatMap(({ words, isGap }) => (isGap ? [words] : [])))].join(', ');
    const answer = isCloze ? [gaps, back].filter((part) => part !== '').join('\n\n') : back;
    return [question, answer, citation?.title ?? '', citation?.place ?? '', citation?.quote ?? ''];
  });
  return writeCsv({ name: deck.title, head: ['Front', 'Back', 'Source', 'Location', 'Quote'], rows });
}
