/** Pattern that needs more than linear time, and the limit of its input. */
interface PatternException {
  readonly file: string;
  /** Text of the pattern that no other pattern of the file contains. */
  readonly words: string;
  readonly bound: string;
}

/**
 * Patterns of the shipped code that may need more than linear time. The same file limits their input to a short text.
 */
export const patternExceptions: readonly PatternException[] = [
  {
    file: 'src/core/language/summary-requests.ts',
    words: 'all\\s+about|about|deal',
    bound: 'a request has at most MAX_REQUEST_LENGTH, 300 code units',
  },
  {
    file: 'src/core/language/summary-requests.ts',
    words: '\\s+(?:in|with|using)\\s+',
    bound: 'a part of a request of at most MAX_REQUEST_LENGTH, 300 code units',
  },
  {
    file: 'src/parsers/markdown.ts',
    words: '!?\\[([^\\]]*)\\]',
    bound: 'a title is cut to longestTitle, 1,000 code units',
  },
  {
    file: 'src/parsers/markdown.ts',
    words: '<[^>]+>',
    bound: 'a title is cut to longestTitle, 1,000 code units',
  },
  {
    file: 'src/parsers/html.ts',
    words: '<meta[^>]{1,500}?',
    bound: 'the head of a file has declaredWithin bytes',
  },
  {
    file: 'src/parsers/office/number-format.ts',
    words: '\\[(?![hms]+\\])',
    bound: 'a code is cut to 300 code units',
  },
  {
    file: 'src/parsers/web/metadata.ts',
    words: '^(.{2,}?\\S)\\s+',
    bound: 'values of a page are cut to longestValue, 500 code units, with single blanks',
  },
  {
    file: 'src/parsers/web/to-markdown.ts',
    words: '(?<!\\s)\\s*(?:\\[\\s*',
    bound: 'a heading of over longestHeading, 1,000 code units, is left as it is',
  },
];
