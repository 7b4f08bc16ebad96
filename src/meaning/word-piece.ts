import { readFields, notAModel, readText } from './not-a-model.ts';
import type { Vocabulary } from './vocabulary.ts';

/** WordPiece: from the left, the longest piece of the vocabulary; a word that is not made of pieces is unknown. */
export function makeWordPiece(spec: unknown, file: string): Vocabulary {
  const fields = readFields(spec);
  const ids = new Map<string, number>(Object.entries(readFields(fields['vocab'])) as [string, number][]);
  if (ids.size === 0) throw notAModel(file, 'It has no vocabulary.');
  const prefix =
    typeof fields['continuing_subword_prefix'] === 'string' ? fields['continuing_subword_prefix'] : '##';
  const mostCharacters = Number(fields['max_input_chars_per_word'] ?? 100);
  const unknown = ids.get(readText(fields['unk_token'], '[UNK]'));
  let longest = 0;
  for (const piece of ids.keys()) longest = Math.max(longest, piece.length);

  const idsOf = (word: string): readonly number[] => {
    // Within it, a character outside of the basic plane counts twice here: a hundred is a bound, no measure.
    if (
      word.length > 2 * mostCharacters ||
      (word.length > mostCharacters && Array.from(word).length > mostCharacters)
    )
      return [];
    const found: number[] = [];
    for (let start = 0; start < word.length;) {
      const before = start === 0 ? '' : prefix;
      let end = Math.min(word.length, start + longest);
      let id: number | undefined;
      for (; end > start; end--) {
        id = ids.get(before + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [];
      found.push(id);
      start = end;
    }
    return found;
  };
  return { ids, unknown, idsOf, wordsOf: (text) => [text] };
}
