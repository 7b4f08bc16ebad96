import type { PageNumber } from '../../core/domain/page-number.ts';
import type { ReadRequest } from '../api.ts';
import type { LanguageFile } from './tesseract.ts';

/** Request to recognize a page of a file with a certain content hash. */
export interface RecognizeRequest extends Pick<ReadRequest, 'content' | 'name' | 'password'> {
  readonly hash: string;
  /** One-based page number. */
  readonly page: PageNumber;
  /** Languages, the main one first. */
  readonly languages: readonly LanguageFile[];
  /** File that stores the recognition results. */
  readonly store: string;
}

/**
 * Outcome of a recognition: the result is stored, another window is working on the page, the file has changed, or the
 * data of a language is damaged.
 */
export type Recognised =
  | { readonly kind: 'kept' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'damaged-language'; readonly language: string };

/** Requests that a recognizer worker handles. */
export interface RecognizerApi {
  readonly recognise: (params: RecognizeRequest) => Recognised;
  /** Saves the reason why a page can't be recognized, as a sentence. */
  readonly giveUp: (params: Omit<RecognizeRequest, 'content'> & { readonly problem: string }) => void;
}

/** Joins the language codes by plus signs, in the order in which Tesseract tries them. */
export function languagesKey(languages: readonly { readonly code: string }[]): string {
  return languages.map(({ code }) => code).join('+');
}
