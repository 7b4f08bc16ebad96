import { fencePassage, newFence } from '../../../../answers/retrieving/fenced-passages.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { overlap } from '../../../../core/language/span.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';

/** Passages that a step has seen. Each keeps its number while the step is in progress. */
export class NumberedPassages {
  /** Fence around each passage. */
  readonly fence = newFence('passage');
  readonly #passages: FoundPassage[] = [];

  /** Number `n` is at `n - 1`. */
  get passages(): readonly FoundPassage[] {
    return this.#passages;
  }

  /** Returns the number of a passage, or of one that contains it. */
  passageNumber(passage: FoundPassage): number {
    const at = this.#passages.findIndex(
      (each) =>
        each.documentId === passage.documentId && overlap(each, passage) === passage.end - passage.start,
    );
    return at >= 0 ? at + 1 : this.#passages.push(passage);
  }

  /** Formats as many whole passages as fit into the tokens. All of them get numbers, even those that don't fit. */
  show(passages: readonly FoundPassage[], tokens: number): { readonly text: string; readonly left: number } {
    const shown: string[] = [];
    const numbers = new Set<number>();
    let room = tokens;
    let omittedCount = 0;
    for (const passage of passages) {
      const number = this.passageNumber(passage);
      if (numbers.has(number)) continue;
      numbers.add(number);
      const text = fencePassage(passage, number, this.fence);
      const usedTokens = estimateTokens(text) + 2;
      if (usedTokens > room) omittedCount++;
      else {
        shown.push(text);
        room -= usedTokens;
      }
    }
    return { text: shown.join('\n\n'), left: omittedCount };
  }
}
