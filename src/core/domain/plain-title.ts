/**
 * Matches control characters, line and paragraph separators, characters that change the text direction, and invisible
 * ones.
 */
const UNSAFE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/**
 * Returns a title, name, or address that is safe to show: without characters that hide its meaning, such as those that
 * turn `exe.pdf` around. Text of any language stays unchanged, including joiners that it needs.
 */
export function plainTitle(title: string): string {
  const line = title.replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, ' ');
  return line.replaceAll(UNSAFE, '').replaceAll(/\s+/gu, ' ').trim();
}
