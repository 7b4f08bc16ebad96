import { t } from '@vscode/l10n';
import type { Answer, RequestedFigure, FiguresOffered, ReadPassage, Statement, Verdict } from './answer.ts';
import type { PlaceSignals } from './passage.ts';
import { fenceText } from '../language/markdown-lines.ts';
import type { TextFormat } from '../language/units.ts';

/** Retrieved passage with its current text; undefined if the text changed or was deleted. */
export interface ReportedPassage {
  readonly passage: ReadPassage;
  readonly text: string | undefined;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
}

/**
 * Returns the retrieval report of a question as Markdown: each passage with its score and the reason, and the evidence
 * for each statement's verdict.
 */
export function readReport(question: string, passages: readonly ReportedPassage[], answer: Answer): string {
  const read =
    passages.length === 1
      ? t('1 passage was retrieved for the answer.')
      : t('{0} passages were retrieved for the answer.', passages.length.toLocaleString());
  const scores = passages.every(({ passage }) => !isRanked(passage))
    ? []
    : [
        ...(passages.length === 1 ? [] : [t('The best match is first.')]),
        t(
          'A score shows how well a passage matches this question, compared with the other passages. You can’t compare scores across questions.',
        ),
      ];
  const sentences = answer.kind === 'written' ? answer.statements.flatMap(describeChecks(answer.text)) : [];
  return [
    `# ${t('Retrieval Report')}`,
    quoteLines(question),
    [read, ...scores].join(' '),
    ...passages.flatMap((passage, index) => section(passage, index + 1)),
    ...(answer.figures === undefined ? [] : figuresSection(answer.figures)),
    ...(sentences.length > 0 ? [`## ${t('Fact Check')}`, ...sentences] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Returns the section about the figures that the question refers to. */
function figuresSection(offered: FiguresOffered): string[] {
  const line = ({ name, title, place }: RequestedFigure): string =>
    escapedLine([name, title, place].filter((part) => part !== '').join(', '));
  const listFigures = (figures: readonly RequestedFigure[]): string =>
    figures.map((figure) => `- ${line(figure)}`).join('\n');
  const heading = `## ${t('Figures')}`;
  switch (offered.kind) {
    case 'sent':
    case 'refused':
      return [
        heading,
        offered.kind === 'sent'
          ? t('Open Notebook sent these images to the model with the question.')
          : t('Open Notebook sent these images, but the model’s endpoint didn’t accept them.'),
        offered.figures
          .map((figure) => {
            const { width, height, bytes } = figure;
            const size = t(
              '{0} × {1} pixels, {2} kB',
              width.toLocaleString(),
              height.toLocaleString(),
              Math.ceil(bytes / 1_000).toLocaleString(),
            );
            return `- ${line(figure)} (${size})`;
          })
          .join('\n'),
      ];
    case 'offered':
      return [
        heading,
        t('Open Notebook didn’t send these images to {0}.', escapedLine(offered.to)),
        listFigures(offered.figures),
      ];
    case 'undrawn':
      return [heading, escapedLine(offered.reason), listFigures(offered.figures)];
  }
}

function isRanked({ score, signals }: ReadPassage): boolean {
  return signals !== undefined || score !== 0;
}

function section({ passage, text, format, languageId }: ReportedPassage, number: number): string[] {
  const { title, place } = passage;
  const where = [title, place].filter((part) => part !== '').join(', ');
  return [
    `## ${number.toLocaleString()}. ${escapedLine(where)}`,
    isRanked(passage)
      ? `${describeScore(passage)} ${describeReason(passage)}`
      : t('Read in document order, without ranking.'),
    text === undefined
      ? t('The source has changed or was removed. The passage began: {0}', escapedLine(passage.begins))
      : quoteText(text, format, languageId),
  ];
}

const VERDICTS: Readonly<Record<Exclude<Verdict, 'none'>, () => string>> = {
  contradicted: () => t('Contradicted'),
  'not-found': () => t('Unsupported'),
  partly: () => t('Partly supported'),
  supported: () => t('Supported'),
  unchecked: () => t('Not fact-checked'),
};

/**
 * Returns a function that lists statements of an answer with the evidence for their verdicts. Skips statements that
 * claim nothing or weren't checked.
 */
function describeChecks(answer: string) {
  return ({ start, end, verdict, signals, checkedBy, deciding }: Statement): string[] => {
    if (verdict === 'none') return [];
    const statement = quoteLines(answer.slice(start, end));
    if (checkedBy === undefined) return signals === undefined ? [] : [statement, foundByRules(verdict)];
    const verdictText = t('{0}, according to {1}', VERDICTS[verdict](), escapedLine(checkedBy));
    return [
      statement,
      deciding === undefined
        ? `${verdictText}.`
        : `${verdictText}. ${t('Evidence: “{0}”', escapedLine(deciding))}`,
    ];
  };
}

/** Returns a verdict of the rules with the reason. */
function foundByRules(verdict: Verdict): string {
  return verdict === 'contradicted'
    ? t(
        '{0}: The source has a different number in the same text, or in the same row and column.',
        VERDICTS.contradicted(),
      )
    : t('{0}: The source contains the statement word for word.', VERDICTS.supported());
}

const SIGNALS: Readonly<Record<Exclude<keyof PlaceSignals, 'quoted'>, (part: string) => string>> = {
  words: (part) => t('passage text {0}', part),
  table: (part) => t('table row {0}', part),
  section: (part) => t('section {0}', part),
  headings: (part) => t('headings {0}', part),
  meaning: (part) => t('similarity {0}', part),
  begins: (part) => t('starts with the topic {0}', part),
};

/** Returns the score of a passage with the part of each signal. */
function describeScore({ score, signals }: ReadPassage): string {
  if (signals === undefined) return t('Score {0}.', formatScore(score));
  const parts = (Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).flatMap((name) =>
    signals[name] === undefined ? [] : SIGNALS[name](formatScore(signals[name])),
  );
  const scoreText = t('Score {0}: {1}.', formatScore(score), parts.join(', '));
  return signals.quoted
    ? `${scoreText} ${t('It contains the quoted text, so it ranks above passages that don’t.')}`
    : scoreText;
}

/** Returns the reason for retrieving a passage, in one sentence. */
export function describeReason({ words, nearness }: ReadPassage): string {
  const wordList = words.map(escapedLine).join(', ');
  if (nearness === undefined)
    return words.length > 0
      ? t('Matched by words ({0}).', wordList)
      : t('Matched by words from earlier questions, or by neighboring text.');
  return words.length > 0
    ? t('Matched by words ({0}) and meaning (similarity {1}).', wordList, formatScore(nearness))
    : t('Matched by meaning (similarity {0}).', formatScore(nearness));
}

/** Formats a ratio, 0 to 1, as a percentage in the user's language. */
export function percent(share: number): string {
  return share.toLocaleString(undefined, { style: 'percent' });
}

/** Formats a number to three digits in the user's language. */
export function formatScore(number: number): string {
  return number.toLocaleString(undefined, { maximumSignificantDigits: 3 });
}

function quoteText(text: string, format: TextFormat, languageId: string | undefined): string {
  if (format !== 'code') return quoteLines(text);
  return fenceText(text, languageId);
}

function quoteLines(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Returns a text as one line of Markdown without formatting. */
export function escapedLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
