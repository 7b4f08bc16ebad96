import { harmlessWords } from './harmless-markdown.ts';

/** A picture of what is cited, such as a part of a page, that is kept with the citation. */
export interface CitedPicture {
  readonly mediaType: 'image/jpeg' | 'image/png';
  /** Its bytes in Base64. */
  readonly data: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** How large a picture in a note may be: its longest side in pixels, and its bytes. */
export const PICTURE_LIMITS = { longestSide: 1_600, bytes: 512 * 2 ** 10 };

/** So many UTF-16 code units its bytes take in Base64. */
export const LONGEST_PICTURE = Math.ceil(PICTURE_LIMITS.bytes / 3) * 4;

/** The folder, beside the notes, whose files are the pictures of citations, by these' ids. */
export const PICTURE_FOLDER = 'picture';

/** The Markdown of a citation's picture. */
export function pictureMarkdown(words: string, id: string, { mediaType }: CitedPicture): string {
  const described = harmlessWords(words.replaceAll(/[\s[\]<>`\\]+/g, ' ').trim());
  return `![${described}](${PICTURE_FOLDER}/${id}.${mediaType === 'image/png' ? 'png' : 'jpg'})`;
}

/** The id of the citation whose picture stands at a path below the notes; undefined where none does. */
export function citationOfPicture(path: string): string | undefined {
  return /^\/picture\/([\da-f]{16})\.(?:jpg|png)$/.exec(path)?.[1];
}

/** A note's text with what describes its pictures in their place. */
export function withoutPictures(text: string): string {
  return text.replaceAll(/!\[([^[\]\n]{0,500})\]\(picture\/[\da-f]{16}\.(?:jpg|png)\)/g, '$1');
}
