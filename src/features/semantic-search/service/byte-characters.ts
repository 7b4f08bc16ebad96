/**
 * Writes each byte of a text's UTF-8 as one visible character, as GPT-2 does. Printable Latin-1 characters represent
 * themselves. The other bytes map to the characters from U+0100 on, in order.
 */
export function byteCharacters(text: string): string {
  let characters = '';
  for (const byte of encoder.encode(text)) characters += CHARACTERS[byte] ?? '';
  return characters;
}

const encoder = new TextEncoder();

const CHARACTERS: readonly string[] = (() => {
  const isPrintable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
})();
