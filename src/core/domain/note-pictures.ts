import { sanitizeWords } from './sanitize-markdown.ts';

/** Picture of the cited text, such as a part of a page, stored with the citation. */
export interface CitedPicture {
  readonly mediaType: 'image/jpeg' | 'image/png';
  /** Base64 of the picture's bytes. */
  readonly data: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Limits of a picture in a note: its longest side in pixels, and its bytes. */
export const PICTURE_LIMITS = { longestSide: 1_600, bytes: 512 * 2 ** 10 };

/** Maximum length of its Base64, in UTF-16 code units. */
export const MAX_IMAGE_LENGTH = Math.ceil(PICTURE_LIMITS.bytes / 3) * 4;

/** Folder beside the notes whose files are the pictures of citations, by citation ID. */
export const PICTURE_FOLDER = 'picture';

/** Returns the Markdown of a citation's picture. */
export function pictureMarkdown(words: string, id: string, { mediaType }: CitedPicture): string {
  const described = sanitizeWords(words.replaceAll(/[\s[\]<>`\\]+/g, ' ').trim());
  return `![${described}](${PICTURE_FOLDER}/${id}.${mediaType === 'image/png' ? 'png' : 'jpg'})`;
}

/** Returns the ID of the citation whose picture has a path below the notes; undefined for other paths. */
export function citationOfPicture(path: string): string | undefined {
  return /^\/picture\/([\da-f]{16})\.(?:jpg|png)$/.exec(path)?.[1];
}

/** Returns a note's text with pictures replaced by their descriptions. */
export function withoutPictures(text: string): string {
  return text.replaceAll(/!\[([^[\]\n]{0,500})\]\(picture\/[\da-f]{16}\.(?:jpg|png)\)/g, '$1');
}
