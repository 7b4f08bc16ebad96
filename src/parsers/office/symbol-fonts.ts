/** Characters of fonts whose codes don't name letters, by code. Codes without a common character are left out. */
const SYMBOL = table({
  0x21: '!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼',
  0xa0: '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑',
  0xf1: '〉∫',
});

const WINGDINGS = table({
  0x22: '✂✁',
  0x28: '☎✆✉',
  0x36: '⌛',
  0x3e: '✇✍✍✌👌👍👎☜☞☝☟✋☺😐☹💣☠⚐⚑✈☼💧❄✝✞✞✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●○■□☐❑❒⬧⧫◆❖⬥⌧⍓⌘',
  0x80: '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
  0x9e: '·•▪○◉◉◉◉○▪☐▲✦★✶✴✹✵',
  0xb5: '✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛',
  0xd5: '⌫⌦◄➢▲▼',
  0xdf: '←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂',
  // The last two are boxes with a cross and a check mark. Both show a selected box, which Word itself draws as ☒.
  0xfb: '✗✓☒☒',
});

const WINGDINGS_2 = table({ 0x4f: '✗✓☒☒☒☒', 0x97: '●', 0xa2: '■□☐' });
const WINGDINGS_3 = table({ 0x66: '←→↑↓↖↗↙↘↔↕', 0x70: '▲▼△▽◀▶◁▷' });
const WEBDINGS = table({ 0x35: '◄►▲▼', 0x61: '✓', 0x63: '☐', 0x67: '■', 0x6e: '●', 0x72: '✗' });

const FONTS: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  symbol: SYMBOL,
  wingdings: WINGDINGS,
  'wingdings 2': WINGDINGS_2,
  'wingdings 3': WINGDINGS_3,
  webdings: WEBDINGS,
};

/** Reports whether the codes of a font stand for symbols instead of letters. */
export function isSymbolFont(font: string | undefined): font is string {
  return font !== undefined && Object.hasOwn(FONTS, font.trim().toLowerCase());
}

/** Returns the character that a symbol font shows for a code (0x20 to 0xff, or 0xf020 to 0xf0ff); empty if unknown. */
export function symbolCharacter(font: string, code: number): string {
  const symbols = FONTS[font.trim().toLowerCase()] ?? SYMBOL;
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  return low === 0x20
    ? ' '
    : (symbols.get(low) ?? (code > 0xff && low === code ? String.fromCharCode(code) : ''));
}

/**
 * Returns a text with the characters that its font shows. Other fonts also contain codes of the private area 0xf020 to
 * 0xf0ff, which then come from Symbol.
 */
export function withSymbols(text: string, font: string | undefined): string {
  if (isSymbolFont(font))
    return text.replace(/[\u0021-\u00ff\uf020-\uf0ff]/g, (sign) => symbolCharacter(font, sign.charCodeAt(0)));
  return text.replace(/[\uf020-\uf0ff]/g, (sign) => symbolCharacter('symbol', sign.charCodeAt(0)));
}

function table(rows: Readonly<Record<number, string>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(rows).flatMap(([first, characters]) =>
      Array.from(characters, (character, index): [number, string] => [Number(first) + index, character]),
    ),
  );
}
