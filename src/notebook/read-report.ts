import { t } from '@vscode/l10n';
import type {
  Answer,
  AskedFigure,
  CheckSignals,
  FiguresOffered,
  Flaw,
  OpposedSignals,
  Opposite,
  ReadPassage,
  SignalParts,
  Statement,
  Verdict,
  WeighedSignals,
} from './answer.ts';
import type { PlaceSignals } from './passage.ts';
import { fenced } from '../language/markdown-lines.ts';
import type { TextFormat } from '../language/units.ts';

/** A passage with its text as it stands now, or undefined where it changed or was removed. */
export interface ReportedPassage {
  readonly passage: ReadPassage;
  readonly text: string | undefined;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
}

/**
 * What was read for a question, as Markdown: each passage with its score and why it was taken, and what each sentence's
 * verdict rests on.
 */
export function readReport(question: string, passages: readonly ReportedPassage[], answer: Answer): string {
  const read =
    passages.length === 1
      ? t('1 passage was read for the answer.')
      : t('{0} passages were read for the answer, the best first.', passages.length.toLocaleString());
  const sentences = answer.kind === 'written' ? answer.statements.flatMap(checked(answer.text)) : [];
  return [
    `# ${t('What was read')}`,
    quoted(question),
    `${read} ${t('A score says how well a passage fits among those that were found for this question; scores of different questions do not compare.')}`,
    ...passages.flatMap((passage, index) => section(passage, index + 1)),
    ...(answer.figures === undefined ? [] : figuresSection(answer.figures)),
    ...(sentences.length > 0
      ? [
          `## ${t('How the sentences were checked')}`,
          t('What is above zero speaks for a sentence, what is below speaks against it.'),
          ...sentences,
        ]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** What became of the figures that the question asks for. */
function figuresSection(told: FiguresOffered): string[] {
  const line = ({ name, title, place }: AskedFigure): string =>
    escapedLine([name, title, place].filter((part) => part !== '').join(', '));
  const all = (figures: readonly AskedFigure[]): string =>
    figures.map((figure) => `- ${line(figure)}`).join('\n');
  const heading = `## ${t('Figures')}`;
  switch (told.kind) {
    case 'sent':
    case 'refused':
      return [
        heading,
        told.kind === 'sent'
          ? t('These pictures went to the model with the question.')
          : t('These pictures were sent, and the model’s endpoint did not take them.'),
        told.figures
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
      return [heading, t('These pictures were not sent to {0}.', escapedLine(told.to)), all(told.figures)];
    case 'undrawn':
      return [heading, escapedLine(told.reason), all(told.figures)];
  }
}

function section({ passage, text, format, languageId }: ReportedPassage, number: number): string[] {
  const { title, place } = passage;
  const where = [title, place].filter((part) => part !== '').join(', ');
  return [
    `## ${number.toLocaleString()}. ${escapedLine(where)}`,
    passage.signals === undefined && passage.score === 0
      ? t('Read in its order, without a ranking.')
      : `${scored(passage)} ${tellReason(passage)}`,
    text === undefined
      ? t('The source has changed or was removed since. It began: {0}', escapedLine(passage.begins))
      : shown(text, format, languageId),
  ];
}

const VERDICTS: Readonly<Record<Exclude<Verdict, 'none'>, () => string>> = {
  contradicted: () => t('The source says the opposite'),
  'not-found': () => t('Not found in the sources'),
  partly: () => t('Partly supported'),
  supported: () => t('Supported'),
  unchecked: () => t('Not fact-checked'),
};

/** A statement of an answer with what its verdict rests on; nothing if it claims nothing, or wasn't checked. */
function checked(answer: string) {
  return ({ start, end, verdict, signals, checkedBy, deciding }: Statement): string[] => {
    if (verdict === 'none') return [];
    const statement = quoted(answer.slice(start, end));
    if (checkedBy === undefined)
      return signals === undefined ? [] : [statement, weighed(VERDICTS[verdict](), signals)];
    const told = t('{0}, says {1}', VERDICTS[verdict](), escapedLine(checkedBy));
    return [
      statement,
      deciding === undefined ? `${told}.` : `${told}. ${t('Deciding words: “{0}”', escapedLine(deciding))}`,
    ];
  };
}

const FLAWS: Readonly<Record<Flaw, () => string>> = {
  another: () => t('the sources speak of its subject elsewhere'),
  half: () => t('too little of it is there'),
  name: () => t('a name is nowhere in the sources'),
  number: () => t('a number is nowhere in the sources'),
  part: () => t('a part of it is not there'),
  quoted: () => t('words in quotation marks are not there'),
  swapped: () => t('another name stands in a name’s place'),
};

/** What decided a verdict, and what was weighed for it. */
function weighed(verdict: string, signals: CheckSignals): string {
  if ('isVerbatim' in signals)
    return verdict === VERDICTS.contradicted()
      ? t('{0}; the source has another number in the same words, or in the same row and column.', verdict)
      : t('{0}; it stands there word for word.', verdict);
  const { likelihood, found, foundBy, chosen, flaw, opposed } = signals;
  const told = t(
    '{0}; {1} likely to be borne out: its words {2}, their place {3}, its numbers {4}, its names {5}, its length and parts {6}.',
    verdict,
    percent(likelihood),
    ...roundedParts(signals),
  );
  return [
    told,
    ...(found === undefined ? [] : [foundAtAll(found, foundBy)]),
    ...(flaw === undefined ? [] : [t('However likely it is, {0}.', FLAWS[flaw]())]),
    ...(opposed === undefined ? [] : [opposition(opposed)]),
    ...(chosen === undefined ? [] : [highlighted(chosen)]),
  ].join(' ');
}

function roundedParts({ words, place, numbers, names, extent }: SignalParts): string[] {
  return [words, place, numbers, names, extent].map(rounded);
}

function foundAtAll(found: number, by: SignalParts | undefined): string {
  if (by === undefined) return t('{0} likely to be found at all.', percent(found));
  return t(
    '{0} likely to be found at all: its words {1}, their place {2}, its numbers {3}, its names {4}, its length and parts {5}.',
    percent(found),
    ...roundedParts(by),
  );
}

/** Why the first of the highlighted words were. */
function highlighted(chosen: NonNullable<WeighedSignals['chosen']>): string {
  return t(
    'The words that are highlighted first are {0} likely to bear it out: what they have of it {1}, their place {2}, their numbers {3}, their names {4}, their length and kind {5}.',
    percent(chosen.likelihood),
    ...roundedParts(chosen),
  );
}

const OPPOSITES: Readonly<Record<Opposite, () => string>> = {
  denied: () => t('a negation'),
  otherNumber: () => t('another number'),
  swapped: () => t('another order'),
  turned: () => t('another direction'),
};

function opposition({ likelihood, by, parts }: OpposedSignals): string {
  const told = by.map((opposite) => OPPOSITES[opposite]()).join(', ');
  if (parts === undefined) return t('{0} likely to be contradicted, by {1}.', percent(likelihood), told);
  const { words, order, opposite, extent } = parts;
  return t(
    '{0} likely to be contradicted, by {1}: its words {2}, their order {3}, what is opposite {4}, its length and parts {5}.',
    percent(likelihood),
    told,
    ...[words, order, opposite, extent].map(rounded),
  );
}

const SIGNALS: Readonly<Record<Exclude<keyof PlaceSignals, 'quoted'>, (part: string) => string>> = {
  words: (part) => t('its own words {0}', part),
  table: (part) => t('a row of its table {0}', part),
  section: (part) => t('its section {0}', part),
  headings: (part) => t('its headings {0}', part),
  meaning: (part) => t('its meaning {0}', part),
  begins: (part) => t('beginning with what is asked {0}', part),
};

/** How well a passage fits, and what of that each signal tells. */
function scored({ score, signals }: ReadPassage): string {
  if (signals === undefined) return t('Score {0}.', rounded(score));
  const parts = (Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).flatMap((name) =>
    signals[name] === undefined ? [] : SIGNALS[name](rounded(signals[name])),
  );
  const told = t('Score {0}: {1}.', rounded(score), parts.join(', '));
  return signals.quoted ? `${told} ${t('It holds what is quoted, and goes before what does not.')}` : told;
}

/** Why a passage was taken, in one sentence. */
export function tellReason({ words, nearness }: ReadPassage): string {
  const found = words.map(escapedLine).join(', ');
  if (nearness === undefined)
    return words.length > 0
      ? t('Found by its words ({0}).', found)
      : t('Found by words of questions before this one, or by what stands around it.');
  return words.length > 0
    ? t('Found by its words ({0}) and its meaning (nearness {1}).', found, rounded(nearness))
    : t('Found by its meaning (nearness {0}).', rounded(nearness));
}

/** A share, 0 to 1, as the user’s language writes it. */
export function percent(share: number): string {
  return share.toLocaleString(undefined, { style: 'percent' });
}

/** A number to three digits, as the user's language writes it. */
export function rounded(number: number): string {
  return number.toLocaleString(undefined, { maximumSignificantDigits: 3 });
}

function shown(text: string, format: TextFormat, languageId: string | undefined): string {
  if (format !== 'code') return quoted(text);
  return fenced(text, languageId);
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** A text as one line of Markdown in which nothing is marked. */
export function escapedLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
