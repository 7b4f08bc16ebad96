/** Names and signs that occur only in code: `readFile`, `read_file`, `fs.read`, `read()`, `==`. */
const CODE_SIGNS =
  /\p{Ll}\p{Lu}|\w\(\)|\p{L}_\p{L}|(?<=[\p{L}\d]{2})(?:\.|::|->)\p{L}{2}|[=!<>]=|=>|&&|\|\||[`{}]/u;

/** Words for code and its parts, in questions in the most common languages. */
const CODE_WORDS = new RegExp(
  `(?<!\\p{L})(?:${[
    'class(?:es)?|code(?:base)?|constructors?|functions?|implement(?:s|ed|ation)?|methods?|reg(?:ex|exp|exes)|source code|variables?',
    'funktion(?:en)?|implementiert|klassen?|methoden?|quell(?:code|text)|variablen?',
    'classes?|fonctions?|implément\\p{L}*|méthodes?|variables?',
    'clases?|código|funci(?:ón|ones)|métodos?|classi|codice|funzion[ei]|metod[io]|funç(?:ão|ões)',
    'функци\\p{L}*|класс\\p{L}*|метод\\p{L}*|код\\p{L}{0,2}|переменн\\p{L}*',
  ].join('|')})(?!\\p{L})|[函関]数|代码|代碼|コード|メソッド|クラス|方法|코드|함수`,
  'iu',
);

/**
 * Reports whether a question may be about code, because it has a name or a sign of code, or a word for code.
 * Otherwise, parts of names in code match its words by chance, such as `_wrapLeft` for "How much is left?".
 */
export function mayAskForCode(question: string): boolean {
  return CODE_SIGNS.test(question) || CODE_WORDS.test(question);
}
