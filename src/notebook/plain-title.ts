/** Control characters, line and paragraph separators, what turns the direction of the text around it, and what is not seen. */
const UNSAFE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/**
 * A title, name or address as it can be shown: without characters that hide what it says, such as those that turn
 * `exe.pdf` around. Words of any language stay as they are, joiners that they need included.
 */
export function plainTitle(title: string): string {
  const line = title.replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, ' ');
  return line.replaceAll(UNSAFE, '').replaceAll(/\s+/gu, ' ').trim();
}
