import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sentences about a text in its language: true ones, some of which state what the text lacks, and altered ones. */
interface MemorySet {
  readonly language: string;
  readonly text: string;
  readonly sentences: readonly { readonly kind: string; readonly sentence: string }[];
}

const file = join(import.meta.dirname, '../fixtures/evidence/languages.txt');

export function readGeneratedSets(): MemorySet[] {
  return readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [language = '', text = '', ...lines] = block.trim().split('\n');
      const sentences = lines.map((line) => {
        const bar = line.indexOf('|');
        return { kind: line.slice(0, bar), sentence: line.slice(bar + 1) };
      });
      return { language, text, sentences };
    });
}
