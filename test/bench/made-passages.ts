/** Passages of made words, their frequencies as in natural language: the same in every run. */
export function makePassages(count: number): {
  texts: string[];
  questions: (words: number, count?: number) => string[];
} {
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const syllables = [
    'ba',
    'co',
    'di',
    'fu',
    'ge',
    'ha',
    'jo',
    'ki',
    'lu',
    'me',
    'na',
    'po',
    'ri',
    'su',
    'te',
    'vo',
  ];
  const word = (rank: number): string => {
    let name = '';
    for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) name += syllables[rest % 16] ?? '';
    return name;
  };
  // The inverse of the harmonic sum, so that the word of rank r comes up about 1 / r as often as the first.
  const vocabulary = 40_000;
  const draw = (): string => word(Math.floor(vocabulary ** random()) - 1);
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    const words: string[] = [];
    for (let length = 0; length < 1_200; length += (words.at(-1)?.length ?? 0) + 1) words.push(draw());
    texts.push(words.join(' '));
  }
  const questions = (words: number, asked = 60): string[] =>
    Array.from({ length: asked }, () => {
      const words_ = (texts[Math.floor(random() * count)] ?? '').split(' ');
      return Array.from({ length: words }, () => words_[Math.floor(random() * (words_.length - 1))]).join(
        ' ',
      );
    });
  return { texts, questions };
}
