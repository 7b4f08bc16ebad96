import { foldedLetters } from '../../core/language/words/letters-of-question.ts';
import type { DocumentText } from '../store/sources/document-store.ts';

/** Document with some of the letters of the questions, by their indexes. */
interface MatchingDocument {
  readonly documentId: number;
  readonly passages: number;
  readonly held: readonly number[];
}

/** Documents to index for questions, and whether these are all that have a word of the questions. */
interface ScanResult {
  readonly documentIds: readonly number[];
  readonly isAll: boolean;
}

/** Scan of documents that aren't indexed yet for the words of questions. */
export class QuestionScan {
  readonly #letters: readonly string[];
  readonly #matching: MatchingDocument[] = [];
  /** Number of documents with each of the letters. */
  readonly #counts: number[];
  #documents = 0;
  #length = 0;

  /** `letters` are those of `lettersOfQuestion`. */
  constructor(letters: readonly string[]) {
    this.#letters = letters;
    this.#counts = letters.map(() => 0);
  }

  /** Length of the texts so far, in UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** Scans a document. */
  add({ documentId, passages, text }: DocumentText): void {
    this.#documents++;
    this.#length += text.length;
    const folded = foldedLetters(text);
    const held: number[] = [];
    for (const [i, letters] of this.#letters.entries()) {
      if (!folded.includes(letters)) continue;
      held.push(i);
      this.#counts[i] = (this.#counts[i] ?? 0) + 1;
    }
    if (held.length > 0) this.#matching.push({ documentId, passages, held });
  }

  /** Returns the documents with the rarest words, which together have at most `maxPassages` passages. */
  best(maxPassages: number): ScanResult {
    const rarity = this.#counts.map((count) => Math.log(1 + this.#documents / Math.max(count, 1)));
    const ranked = this.#matching
      .map((document) => ({
        ...document,
        score: document.held.reduce((sum, i) => sum + (rarity[i] ?? 0), 0),
      }))
      .sort((a, b) => b.score - a.score);
    let passages = 0;
    const best = ranked.filter((document) => {
      if (passages + document.passages > maxPassages) return false;
      passages += document.passages;
      return true;
    });
    return {
      documentIds: best.map(({ documentId }) => documentId),
      isAll: best.length === ranked.length,
    };
  }
}
