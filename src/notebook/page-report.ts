import { t } from '@vscode/l10n';
import { escapedLine, rounded } from './read-report.ts';

/** A block of a web page, and why it was taken or left out. */
export interface JudgedBlock {
  readonly text: string;
  readonly isKept: boolean;
  /** How likely it is content, from 0 to 1. */
  readonly likely: number;
  /** By how much its log-odds are higher for what it is than if it were as the middle one of the page's blocks. */
  readonly reasons: {
    readonly words: number;
    readonly place: number;
    readonly neighbours: number;
    readonly readability: number;
  };
}

/** Of a block so many UTF-16 code units are shown. */
const LONGEST = 200;

/** Which blocks of a page were taken and which were left out, and why, as Markdown. */
export function pageReport(title: string, blocks: readonly JudgedBlock[]): string {
  const kept = blocks.filter(({ isKept }) => isKept).length;
  return [
    `# ${t('What was taken of {0}', escapedLine(title))}`,
    t(
      '{0} of {1} blocks of the page were taken, each by how likely it is content beside the others, and with what it stands in. What is above zero speaks for a block, what is below speaks against it.',
      kept.toLocaleString(),
      blocks.length.toLocaleString(),
    ),
    ...blocks.map(({ text, isKept, likely, reasons: { words, place, neighbours, readability } }) => {
      const share = likely.toLocaleString(undefined, { style: 'percent' });
      const judged = isKept ? t('**Taken**, {0}.', share) : t('**Left out**, {0}.', share);
      const why = t(
        'Its words {0}, its place {1}, what is next to it {2}, Readability {3}.',
        ...[words, place, neighbours, readability].map(rounded),
      );
      const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
      return `- ${judged} ${why}\n\n  > ${escapedLine(shown)}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}
