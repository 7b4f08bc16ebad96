/** A piece of an RTF file. `byte` is a byte of text in the code page of its font. */
export type RichToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined };

const CONTROL = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|([^a-z]))/giy;
const PLAIN = /[^\\{}\r\n]{1,10000}/y;

/** The pieces of an RTF file in their order. What `\bin` says is no text is left out. */
export function* tokensOf(bytes: Uint8Array): Generator<RichToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (let at = 0; at < source.length;) {
    const unit = source[at];
    if (unit === '{' || unit === '}') {
      yield { kind: unit === '{' ? 'open' : 'close' };
      at++;
    } else if (unit === '\\') {
      CONTROL.lastIndex = at;
      const found = CONTROL.exec(source);
      if (found === null) {
        at++;
        continue;
      }
      at = CONTROL.lastIndex;
      const [, word, digits, hex, symbol] = found;
      const value = digits === undefined ? undefined : Number(digits);
      if (hex !== undefined) yield { kind: 'byte', value: Number.parseInt(hex, 16) };
      else if (word === 'bin') at += Math.max(0, value ?? 0);
      else if (word !== undefined) yield { kind: 'control', word, value };
      else if (symbol !== undefined) yield ofSymbol(symbol);
    } else if (unit === '\r' || unit === '\n') at++;
    else {
      PLAIN.lastIndex = at;
      const text = PLAIN.exec(source)?.[0] ?? '';
      at += Math.max(1, text.length);
      // What is written without an escape may still be beyond ASCII.
      if (/^[\0-\x7f]*$/.test(text)) yield { kind: 'text', text };
      else for (const byte of Buffer.from(text, 'latin1')) yield { kind: 'byte', value: byte };
    }
  }
}

function ofSymbol(symbol: string): RichToken {
  switch (symbol) {
    case '\\':
    case '{':
    case '}':
      return { kind: 'text', text: symbol };
    case '\r':
    case '\n':
      return { kind: 'control', word: 'par', value: undefined };
    case '-':
      return { kind: 'text', text: '' };
    default:
      return { kind: 'control', word: symbol, value: undefined };
  }
}
