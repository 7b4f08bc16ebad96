// Texts that are designed to keep their readers busy, by their components.

const filled = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
const numbered = (part: (i: number) => string, length: number): string => {
  let text = '';
  for (let i = 0; text.length < length; i++) text += part(i);
  return text.slice(0, length);
};

type Repeated = Readonly<Record<string, string>>;

const marks: Repeated = {
  'opening brackets': '[',
  'closing brackets': ']',
  'brackets of images': '![',
  'brackets within brackets': '[a](b [',
  'empty links': '[](',
  'links without end': '](a',
  'wiki links': '[[',
  'reference definitions': '[a]: <b\n',
  footnotes: '[^a]',
  'footnote definitions': '[^a]: b\n\n',
  'pairs of a backtick and a letter': '`a',
  backticks: '`',
  'backticks in pairs': '`` ` ',
  'open comments': '<!--',
  'open comments in a paragraph': 'a <!-- ',
  'less-than signs': '<',
  'open tags': '<a ',
  'open attributes': '<a b="',
  'open declarations': '<!A',
  'open instructions': '<?',
  'open CDATA': '<![CDATA[',
  'open addresses': '<http:',
  'elements within each other': '<div>',
};

const runs: Repeated = {
  spaces: ' ',
  'words and many spaces': `a${' '.repeat(2000)}`,
  tabs: '\t',
  stars: '*',
  'stars and letters': '*a_ ',
  'bold and italics': '**a *b ',
  underscores: '_',
  'underscores in words': 'a_',
  tildes: '~',
  'tildes and letters': '~~a ',
  bars: '|',
  'rows of bars': '| a | b\n',
  'rows of rules': '|-|-|\n',
  'number signs': '#',
  'headings of number signs': '# # ## #\n',
  'items within items': '- ',
  'numbered items within items': '1. ',
  'quotes within quotes': '> ',
  'lazy quotes': '> a\nb\n',
};

const signs: Repeated = {
  digits: '7',
  dots: '.',
  'digits and dots': '1.2.',
  'digits and commas': '1,2 ,',
  letters: 'a',
  'capital letters': 'A',
  'capitals and small letters': 'aB',
  commas: ', ',
  quotes: '"',
  'quoted letters': '"a" ',
  apostrophes: "'",
  'apostrophes in words': "a'b’",
  'typographic quotes': '“a',
  colons: ':',
  'colons and words': 'a: b, ',
  semicolons: '; ',
  'question marks': '?',
  'exclamation marks': '!',
  'line ends of two characters': '\r\n',
  'line ends of one character': '\r',
  'empty lines': '\n',
  'separators of lines': '\u2028',
  'zero-width spaces': '\u200b',
  'soft hyphens': 'a\u00ad',
  'no-break spaces': '\u00a0',
  'combining marks': 'e\u0301\u0302',
  'marks alone': '\u0301',
  'halves of characters': '\ud83d',
  'joined characters': '👩\u200d👧\u200d',
  'Chinese without stops': '港口的灯塔',
  'Japanese without stops': '灯台のひかり',
  'Thai without spaces': 'ประภาคาร',
  'right to left': 'מגדלור ',
};

const words: Repeated = {
  'mail addresses': 'a@a.a',
  'at signs': '@',
  'an address without end': 'http://a.a.a',
  addresses: 'http://a ',
  'addresses in brackets': '(http://a.b/',
  'www addresses': 'www.a.',
  'open fences': '```\n',
  'open fences with words': '~~~ a `\n',
  'fences of many backticks': `${'`'.repeat(500)}\n`,
  'underlined lines': 'a\n=\n',
  'lines of dashes': '---\n',
  'lines of stars': '* * *\n',
  dashes: '-',
  'words with hyphens': 'a-\n',
  'words and hyphens': 'a-b-',
  backslashes: '\\',
  'backslashes and brackets': '\\[\\(',
  dollars: '$',
  'dollars and letters': '$a ',
  'double dollars': '$$a\n',
  braces: '{',
  'formulas within formulas': '$\\frac{',
  parentheses: '(',
  'parentheses in pairs': '()',
  entities: '&amp;',
  'open entities': '&#',
  'citation marks': '[1]',
  'open citation marks': '[1, ',
  'marks in brackets': '【1†',
  'links of citations': '[1](citation/0123456789abcdef "',
  'words that ask': 'what are the ways of ',
  'words that list': 'ports are a, b and c, ',
  'words that lead on': 'please give me a summary of ',
  'how much': 'how much does it cost how much ',
  'lists of one letter': 'a,\n  ',
  'dates and times': '12:30 ',
  abbreviations: 'e.g. ',
  initials: 'J. R. ',
  'sentences of one letter': 'A. ',
  'declarations of functions': 'function a() {\n',
  'rows of commas': ',",\n',
  'arrows of subtitles': '00:00 --> ',
  'headers of mail': 'a: b;\n c\n',
  'images without end': '![](a',
  'names of figures': 'Figures 1, 2 and ',
  'captions of one number': 'Figure 1: a\n\n',
};

const makeText = (length: number): Repeated => {
  const half = Math.floor(length / 2);
  return {
    'an open bracket and links': `See the harbour pages: [${numbered((i) => `[p${String(i)}](h) `, length)}`,
    'an indented list': `The harbours of the coast are:\n${numbered((i) => `  port${String(i)},\n`, length)}`,
    'spaces between words': `# a${' '.repeat(length)}b`,
    'a rule before spaces': `A:${' '.repeat(length)}`,
    'brackets that are closed': '['.repeat(half) + ']'.repeat(half),
    'parentheses that are closed': '('.repeat(half) + ')'.repeat(half),
    'stars that are closed': `${'*a '.repeat(half / 3)}${'b* '.repeat(half / 3)}`,
    'quotes of ever more levels': numbered((i) => `${'> '.repeat(i % 300)}a\n`, length),
    'items of ever more levels': numbered((i) => `${'  '.repeat(i % 300)}- a\n`, length),
    'runs of ever more backticks': numbered((i) => `${'`'.repeat(i + 1)} a `, length),
    '10,000 elements within each other': `${'<b>'.repeat(10_000)}a${'</b>'.repeat(10_000)}`,
    'a table of many columns': `${'|a'.repeat(length / 8)}|\n${'|-'.repeat(length / 8)}|\n${'|b'.repeat(length / 4)}|\n`,
    'headings of many words': numbered((i) => `# Harbour ${String(i)}\n\nA pier.\n\n`, length),
    'captions and what is said of them': numbered(
      (i) => `Figure ${String(i % 999)}: A pier\n\nAs Figure ${String(i % 999)} shows, it is old.\n\n`,
      length,
    ),
    'one word of each kind': numbered((i) => `w${i.toString(36)} `, length),
  };
};

const groups = { marks, runs, signs, words };

/** Returns the names of some kinds of hostile texts: of a group, or those that are written individually. */
export function hostileKinds(group: keyof typeof groups | 'made'): readonly string[] {
  return Object.keys(group === 'made' ? makeText(0) : groups[group]);
}

/** Returns a hostile text of a kind with a length in UTF-16 code units. */
export function hostileText(kind: string, length: number): string {
  const part = Object.values(groups).find((group) => kind in group)?.[kind];
  const text = part === undefined ? makeText(length)[kind] : filled(part, length);
  if (text === undefined) throw new Error(`There is no kind of text ${kind}.`);
  return text;
}
