import { t } from '@vscode/l10n';
import { escapedLine, percent, formatScore } from './read-report.ts';

/** Block of a web page with the reasons for extracting it or not. */
export interface JudgedBlock {
  readonly text: string;
  readonly isIncluded: boolean;
  /** Likelihood that it's content, from 0 to 1, from all signals. */
  readonly likely: number;
  /**
   * Deciding reason. `likelihood`: the likelihood alone. `table`: its table is extracted as a whole, or not at all.
   * `heading`: a heading is treated like the content below it. `readability`: Readability drops the block, while it keeps
   * other likely content.
   */
  readonly by: 'heading' | 'likelihood' | 'readability' | 'table';
  /** Increase of its log-odds by each kind of signal, compared with the median block of the page. */
  readonly reasons: {
    readonly words: number;
    readonly place: number;
    readonly neighbours: number;
    readonly readability: number;
  };
}

/** Blocks of a web page. */
export interface JudgedPage {
  /** Minimum likelihood of a block on its own: the threshold with the best expected result for the whole page. */
  readonly minProbability: number;
  readonly blocks: readonly JudgedBlock[];
}

const DECIDED: Readonly<Record<JudgedBlock['by'], (share: string) => string>> = {
  likelihood: (share) => `${share}.`,
  table: (share) => t('{0}, decided with the rest of its table.', share),
  heading: (share) => t('{0}, decided with the content below it.', share),
  readability: (share) => t('{0}, decided by the Readability library.', share),
};

/** Maximum length of a block's text in the report, in UTF-16 code units. */
const MAX_LENGTH = 200;

/** Returns the extracted and the dropped blocks of a page with the reasons, as Markdown. */
export function pageReport(title: string, { minProbability, blocks }: JudgedPage): string {
  const includedCount = blocks.filter(({ isIncluded }) => isIncluded).length;
  return [
    `# ${t('Content Extracted from {0}', escapedLine(title))}`,
    t(
      'Open Notebook extracted {0} of {1} blocks from the page. A block is extracted if it’s content with a likelihood of at least {2}, or belongs to such a block. Values above zero count toward a block, and values below zero count against it.',
      includedCount.toLocaleString(),
      blocks.length.toLocaleString(),
      percent(minProbability),
    ),
    ...blocks.map(({ text, isIncluded, likely, by, reasons: { words, place, neighbours, readability } }) => {
      const decided = DECIDED[by](percent(likely));
      const judged = isIncluded
        ? t('**Extracted**, likelihood {0}', decided)
        : t('**Not extracted**, likelihood {0}', decided);
      const why = t(
        'Text {0}, position {1}, adjacent blocks {2}, Readability {3}.',
        ...[words, place, neighbours, readability].map(formatScore),
      );
      const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
      return `- ${judged} ${why}\n\n  > ${escapedLine(shown)}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}
