// Lists the patterns that `new RegExp` creates from parts that aren't constants, by file and beginning of the call.
import { YES_OR_NO } from '../../src/answers/checking/claim.ts';
import { TIED } from '../../src/core/language/abbreviations.ts';
import { BOILERPLATE_PARTS } from '../../src/core/language/boilerplate.ts';
import { CODE_WORDS } from '../../src/core/language/code-questions.ts';
import { DATE_PATTERNS } from '../../src/core/language/dates.ts';
import { DEFINING, DEFINITION_PATTERNS } from '../../src/core/language/definitions.ts';
import { ENUMERATING, UNSPACED } from '../../src/core/language/enumerations.ts';
import { BOILERPLATE } from '../../src/core/language/events.ts';
import { FOLLOW_UP_PATTERNS } from '../../src/core/language/follow-ups.ts';
import { FIGURE_PATTERNS } from '../../src/core/language/figures.ts';
import { INEXACT_NUMBER } from '../../src/core/language/inexact-numbers.ts';
import { MODEL_TALK_PATTERNS } from '../../src/core/language/model-boilerplate.ts';
import { TURN } from '../../src/core/language/no-evidence-statements.ts';
import { DAY_PATTERNS } from '../../src/core/language/stated-days.ts';
import { ORDINAL } from '../../src/core/language/sentences.ts';
import { PERCENT } from '../../src/core/language/stated-numbers.ts';
import { DATE_TO_YEAR, DAY_WORD } from '../../src/core/language/words/spellings.ts';
import { STATED, STATED_UNSPACED } from '../../src/core/language/parse-choice-answer.ts';
import { NAMED } from '../../src/core/language/short-forms.ts';
import { LIST, TABLE } from '../../src/core/language/requested-format.ts';
import { DURATION_PATTERNS } from '../../src/core/language/stated-durations.ts';
import { ORDINAL_NUMBER } from '../../src/core/language/words/word-terms.ts';
import { ANY_WORD, LATIN_WORD } from '../../src/core/language/words/word-pattern.ts';
import { BEFORE_LAST_NAME, BETWEEN_NAMES } from '../../src/parsers/bibliography/first-page.ts';
import { PLACEHOLDER } from '../../src/parsers/pdf.ts';
import { PAGE_PATTERNS } from '../../src/parsers/pdf/repeated-lines.ts';
import { SIGN_IN } from '../../src/parsers/web/empty-page.ts';
import { TABLE_PATTERNS } from '../../src/features/artifacts/model/collected-tables.ts';
import { SLIDE_PATTERNS } from '../../src/features/artifacts/model/slides.ts';
import { APPENDIX, REFERENCES } from '../../src/features/artifacts/model/subject-matter.ts';
import { CONTENTS_TITLE } from '../../src/index/search/place-windows.ts';
import { quotedPhrases } from '../../src/index/search/phrases.ts';

const leads = 'see|see also|cf\\.|cf|from|per|source|sources|passage|passages';
const number = String.raw`\^?(?:(?:passages?|sources?)\s*)?\d{1,3}`;
const list = String.raw`${number}(?:\s*(?:[,;–-]|and|&)\s*${number})*`;
const marks = String.raw`[\[【]${list}[\]】](?:\s*(?:(?:[,;&]|and)\s*)?[\[【]${list}[\]】])*`;

/** Calls in each file, with examples of the patterns that they create. */
export const generatePatterns: Readonly<
  Record<string, readonly (readonly [start: string, ...examples: RegExp[]])[]>
> = {
  'src/answers/checking/claim.ts': [['new RegExp(', YES_OR_NO]],
  'src/answers/writing/citation-marks.ts': [
    [
      'new RegExp( String.raw`^\\((?:(?:${LEADS',
      new RegExp(String.raw`^\((?:(?:${leads})\s*(?::\s*)?)?${marks}\)$`, 'i'),
    ],
  ],
  'src/answers/models/request-differences.ts': [
    // A name of a parameter.
    ['new RegExp(`(?<!\\\\w)${name}(?!\\\\w)`', /(?<!\w)temperature(?!\w)/i],
  ],
  'src/features/artifacts/model/collected-tables.ts': [['new RegExp(', ...TABLE_PATTERNS]],
  'src/features/artifacts/model/slides.ts': [['new RegExp(', ...SLIDE_PATTERNS]],
  'src/features/artifacts/model/subject-matter.ts': [['new RegExp(', REFERENCES, APPENDIX]],
  'src/index/search/place-windows.ts': [['new RegExp(', CONTENTS_TITLE]],
  'src/features/research/service/skills/tables/query-tables.ts': [
    // A name of a table.
    ['new RegExp(`\\\\b${name}\\\\b`', /\btable_1\b/i],
  ],
  'src/index/search/phrases.ts': [
    [
      'new RegExp( [ `(?<![\\\\p{L}\\\\p{N}])"',
      /(?<![\p{L}\p{N}])"(?=\S)([^"]{1,300})(?<=\S)"(?![\p{L}\p{N}])|“([^“”]{1,300})”|„([^„“]{1,300})“/gu,
    ],
    [
      'new RegExp(`${before}${source}${after}`',
      ...quotedPhrases('"a b a b" "1.5 (a|b)*"').map(({ pattern }) => pattern),
    ],
  ],
  'src/core/language/abbreviations.ts': [['new RegExp(', TIED]],
  'src/core/language/boilerplate.ts': [['new RegExp(', BOILERPLATE_PARTS]],
  'src/core/language/code-questions.ts': [['new RegExp(', CODE_WORDS]],
  'src/core/language/inexact-numbers.ts': [['new RegExp(', INEXACT_NUMBER]],
  'src/core/language/parse-choice-answer.ts': [['new RegExp(', STATED, STATED_UNSPACED]],
  'src/core/language/dates.ts': [['new RegExp(', ...DATE_PATTERNS]],
  'src/core/language/definitions.ts': [
    ['new RegExp(`^(?:${source})`', ...DEFINING],
    ['new RegExp(', ...DEFINITION_PATTERNS],
  ],
  'src/core/language/enumerations.ts': [
    ['new RegExp(String.raw`(?::|', ...[...ENUMERATING.values()].map(({ leadsUp }) => leadsUp)],
    ['new RegExp(String.raw`(,?(?<!', ...[...ENUMERATING.values()].map(({ between }) => between)],
    ['new RegExp(String.raw`[：:]', UNSPACED.leadsUp],
    ['new RegExp( String.raw`(、', UNSPACED.between],
  ],
  'src/core/language/events.ts': [['new RegExp(', BOILERPLATE]],
  'src/core/language/figures.ts': [['new RegExp(', ...FIGURE_PATTERNS]],
  'src/core/language/follow-ups.ts': [['new RegExp(', ...FOLLOW_UP_PATTERNS]],
  'src/core/language/model-boilerplate.ts': [['new RegExp(', ...MODEL_TALK_PATTERNS]],
  'src/core/language/no-evidence-statements.ts': [['new RegExp(', TURN]],
  'src/core/language/requested-format.ts': [['new RegExp(', TABLE, LIST]],
  'src/core/language/stated-numbers.ts': [['new RegExp(', PERCENT]],
  'src/core/language/stated-days.ts': [['new RegExp(', ...DAY_PATTERNS]],
  'src/core/language/sentences.ts': [['new RegExp(', ORDINAL]],
  'src/core/language/short-forms.ts': [['new RegExp(', NAMED]],
  'src/core/language/words/word-terms.ts': [['new RegExp(', ORDINAL_NUMBER]],
  'src/core/language/words/spellings.ts': [['new RegExp(', DATE_TO_YEAR, DAY_WORD]],
  'src/core/language/stated-durations.ts': [['new RegExp(', ...DURATION_PATTERNS]],
  'src/core/language/words/word-pattern.ts': [['new RegExp( `${word}', ANY_WORD, LATIN_WORD]],
  'src/features/semantic-search/service/normalizers.ts': [
    // Single characters that are replaced.
    ['new RegExp( `[${[...signs.keys()]', /[\u{21}\u{22}\u{5d}]/gu],
  ],
  'src/features/semantic-search/service/patterns.ts': [
    ["new RegExp(literally(words), 'gu')", /\*\*/gu],
    // The pattern is from a model's own file with a known checksum, and its process is ended if it takes too long.
    ["new RegExp(expression, 'gu')", /\s+/gu, / {2,}/gu],
  ],
  'src/features/semantic-search/service/pre-tokenizers.ts': [
    ['new RegExp(`(?=${literally(sign)})`', /(?=▁)/u],
  ],
  'src/features/semantic-search/service/tokenizer.ts': [['new RegExp(`(${longestFirst', /(<mask>|\[UNK\])/u]],
  'src/parsers/bibliography/first-page.ts': [
    ['new RegExp(`[,;', BETWEEN_NAMES],
    ['new RegExp(`^(?:', BEFORE_LAST_NAME],
  ],
  'src/parsers/pdf.ts': [['new RegExp(', PLACEHOLDER]],
  'src/parsers/pdf/repeated-lines.ts': [['new RegExp(', ...PAGE_PATTERNS]],
  'src/parsers/web/empty-page.ts': [['new RegExp(', SIGN_IN]],
  'src/parsers/pdf/salvage.ts': [['new RegExp(`/${key}', /\/Resources\s*(?:\[\s*)?(\d+)\s+\d+\s+R/]],
};
