import type { ReadRequest } from '../api.ts';
import type { LanguageFile } from './tesseract.ts';

/** A page to recognise of a file whose content has a hash. */
export interface RecogniseRequest extends Pick<ReadRequest, 'content' | 'name' | 'password'> {
  readonly hash: string;
  /** Counted from one. */
  readonly page: number;
  /** The main one first. */
  readonly languages: readonly LanguageFile[];
  /** The file that keeps what was recognised. */
  readonly store: string;
}

/**
 * What came of it: it is kept now, or was; another window is at it; the file has another content; or the data of a
 * language are damaged.
 */
export type Recognised =
  | { readonly kind: 'kept' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'damaged-language'; readonly language: string };

/** What a recogniser worker is asked. */
export interface RecogniserApi {
  readonly recognise: (params: RecogniseRequest) => Recognised;
  /** Keeps of a page that it can't be recognised, with a sentence that says why. */
  readonly giveUp: (params: Omit<RecogniseRequest, 'content'> & { readonly problem: string }) => void;
}

/** Languages as one word, in the order in which they are looked for. */
export function languagesKey(languages: readonly { readonly code: string }[]): string {
  return languages.map(({ code }) => code).join('+');
}
