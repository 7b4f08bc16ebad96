// Statements that keep the words of a text and change its meaning, and true ones that say it in other words.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text with the statements that cite it. */
interface AdversarialText {
  readonly language: string;
  readonly text: string;
  readonly format: 'markdown' | 'prose';
  /** `true`, or the kind of change: a reason, subject, direction, time, part, row, and others. */
  readonly statements: readonly { readonly kind: string; readonly statement: string }[];
}

const file = join(import.meta.dirname, '../fixtures/evidence/adversarial.txt');

export function readAdversarialTexts(): AdversarialText[] {
  return readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const start = block.indexOf('\n') + 1;
      const end = block.search(/^[a-z]+\|/m);
      const text = block.slice(start, end).trim();
      const lines = block.slice(end).trim().split('\n');
      return {
        language: block.slice(0, start).trim(),
        text,
        format: text.includes('\n|') ? 'markdown' : 'prose',
        statements: lines.map((line) => {
          const bar = line.indexOf('|');
          return { kind: line.slice(0, bar), statement: line.slice(bar + 1) };
        }),
      };
    });
}
