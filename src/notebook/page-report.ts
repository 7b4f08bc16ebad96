import { t } from '@vscode/l10n';
import { escapedLine, percent, rounded } from './read-report.ts';

/** A block of a web page, and why it was taken or left out. */
export interface JudgedBlock {
  readonly text: string;
  readonly isKept: boolean;
  /** How likely it is content, from 0 to 1, by all that speaks to it. */
  readonly likely: number;
  /**
   * What decided: the likelihood alone; that it is of a table, which stays or goes as a whole, or a heading, which stays with
   * what stands under it; or that Readability leaves it where it takes what else is likely.
   */
  readonly by: 'heading' | 'likelihood' | 'readability' | 'table';
  /** By how much its log-odds are higher for what it is than if it were as the middle one of the page's blocks. */
  readonly reasons: {
    readonly words: number;
    readonly place: number;
    readonly neighbours: number;
    readonly readability: number;
  };
}

/** The blocks of a web page. */
export interface JudgedPage {
  /** How likely a block has to be to be taken by itself: what is expected to be best for the page as a whole. */
  readonly least: number;
  readonly blocks: readonly JudgedBlock[];
}

const DECIDED: Readonly<Record<JudgedBlock['by'], (share: string) => string>> = {
  likelihood: (share) => `${share}.`,
  table: (share) => t('{0}, decided with the rest of its table.', share),
  heading: (share) => t('{0}, decided with the content below it.', share),
  readability: (share) => t('{0}, decided by Readability.', share),
};

/** Of a block so many UTF-16 code units are shown. */
const LONGEST = 200;

/** Which blocks of a page were taken and which were left out, and why, as Markdown. */
export function pageReport(title: string, { least, blocks }: JudgedPage): string {
  const kept = blocks.filter(({ isKept }) => isKept).length;
  return [
    `# ${t('Content Extracted from {0}', escapedLine(title))}`,
    t(
      'Open Notebook extracted {0} of {1} blocks from the page. A block is extracted if it’s content with a likelihood of at least {2}, or belongs to such a block. Values above zero count toward a block, and values below zero count against it.',
      kept.toLocaleString(),
      blocks.length.toLocaleString(),
      percent(least),
    ),
    ...blocks.map(({ text, isKept, likely, by, reasons: { words, place, neighbours, readability } }) => {
      const decided = DECIDED[by](percent(likely));
      const judged = isKept
        ? t('**Extracted**, likelihood {0}', decided)
        : t('**Not extracted**, likelihood {0}', decided);
      const why = t(
        'Text {0}, position {1}, adjacent blocks {2}, Readability {3}.',
        ...[words, place, neighbours, readability].map(rounded),
      );
      const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
      return `- ${judged} ${why}\n\n  > ${escapedLine(shown)}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}
