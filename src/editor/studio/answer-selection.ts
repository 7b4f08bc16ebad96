import type { Citation, Turn } from '../../notebook/answer.ts';

/** What an answer cites for words of it that are selected; the last answer that has them counts. */
export function citationOfAnswer(turns: readonly Turn[], words: string): Citation | undefined {
  const wanted = letters(words);
  if (wanted === '') return undefined;
  const isSelected = (text: string): boolean => {
    const told = letters(text);
    return told !== '' && (told.includes(wanted) || wanted.includes(told));
  };
  for (const { answer } of turns.toReversed()) {
    if (answer === undefined) continue;
    const { citations } = answer;
    if (answer.kind !== 'written') {
      const cited = citations.find(({ quote }) => isSelected(quote));
      if (cited !== undefined) return cited;
      continue;
    }
    const { text, statements } = answer;
    const statement = statements.find(
      (one) => one.citations.length > 0 && isSelected(text.slice(one.start, one.end)),
    );
    const cited = citations[statement?.citations[0] ?? -1];
    if (cited !== undefined) return cited;
  }
  return undefined;
}

/** Letters and digits alone: what is shown has none of the marks of what is written. */
function letters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
