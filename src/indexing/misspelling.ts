/** Shorter words have too many neighbours, and numbers and codes are never meant otherwise than they are typed. */
const CORRECTABLE = /^\p{L}{4,}$/u;
/** Words of the question that are looked for, and words found for all of them. */
const MOST_WORDS = 8;
const MOST_FOUND = 16;
/** How long words are looked for, in milliseconds, and how many of them between two looks at the clock. */
const LONGEST_TIME = 5;
const WORDS_A_LOOK = 512;

/** The words of a vocabulary that are one edit from one of those given: a letter more, less or other, or two swapped. */
export function similarWords(words: readonly string[], vocabulary: Iterable<string>): string[] {
  const typed = words.filter((word) => CORRECTABLE.test(word)).slice(0, MOST_WORDS);
  const found: string[] = [];
  if (typed.length === 0) return found;
  const deadline = performance.now() + LONGEST_TIME;
  let looked = 0;
  for (const word of vocabulary) {
    if (++looked % WORDS_A_LOOK === 0 && performance.now() > deadline) break;
    if (!typed.some((other) => isOneEdit(other, word)) || !CORRECTABLE.test(word)) continue;
    found.push(word);
    if (found.length === MOST_FOUND) break;
  }
  return found;
}

function isOneEdit(a: string, b: string): boolean {
  const shortest = Math.min(a.length, b.length);
  const longest = Math.max(a.length, b.length);
  if (longest - shortest > 1) return false;
  let same = 0;
  while (same < shortest && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  let end = 1;
  while (end <= shortest - same && a.charCodeAt(a.length - end) === b.charCodeAt(b.length - end)) end++;
  const other = longest - same - (end - 1);
  return (
    other === 1 ||
    (other === 2 && a.length === b.length && a[same] === b[same + 1] && a[same + 1] === b[same])
  );
}
