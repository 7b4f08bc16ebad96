import { t } from '@vscode/l10n';

/** What could not be read of a PDF; page numbers are one-based and ascending. */
interface UnreadParts {
  /** Images without text, as scans are. */
  readonly images: readonly number[];
  /** Text of fonts that do not say which letters they draw. */
  readonly garbled: readonly number[];
  /** Text recognition found no words on them. */
  readonly wordless: readonly number[];
  /** Why pages could not be recognised, a sentence each. */
  readonly problems: readonly string[];
  readonly blank: readonly number[];
  readonly damaged: readonly number[];
  /** The number of pages found, where the file's own list of them was lost. */
  readonly salvaged: number | undefined;
  /** The number of pages that were read. */
  readonly read: number;
  /** The number of pages at the end that were not read because the file is too long. */
  readonly leftOut: number;
}

/** More sentences about single pages than these tell nothing new. */
const MOST_PROBLEMS = 5;

/** One sentence for each thing that could not be read. */
export function tellWarnings({
  images,
  garbled,
  wordless,
  problems,
  blank,
  damaged,
  salvaged,
  leftOut,
  read,
}: UnreadParts): string[] {
  return [
    ...(salvaged === undefined
      ? []
      : [
          salvaged === 1
            ? t('The file is damaged; one page could be found in it and may not be all.')
            : t('The file is damaged; {0} pages could be found in it and may not be all.', salvaged),
        ]),
    ...(leftOut === 0
      ? []
      : [
          t(
            'Only the first {0} of its {1} pages were read, because it is too long; add a part of it to read the rest.',
            read,
            read + leftOut,
          ),
        ]),
    ...said(
      images,
      (page) =>
        t(
          'Page {0} is an image without text, so nothing on it can be found or cited; run text recognition on the PDF and refresh it.',
          page,
        ),
      (pages) =>
        t(
          'Pages {0} are images without text, so nothing on them can be found or cited; run text recognition on the PDF and refresh it.',
          pages,
        ),
    ),
    ...said(
      garbled,
      (page) =>
        t(
          'Page {0} has fonts that do not say which letters they draw, so its text cannot be read; run text recognition on the PDF and refresh it.',
          page,
        ),
      (pages) =>
        t(
          'Pages {0} have fonts that do not say which letters they draw, so their text cannot be read; run text recognition on the PDF and refresh it.',
          pages,
        ),
    ),
    ...said(
      wordless,
      (page) => t('Text recognition found no words on page {0}.', page),
      (pages) => t('Text recognition found no words on pages {0}.', pages),
    ),
    ...problems.slice(0, MOST_PROBLEMS),
    ...said(
      blank,
      (page) => t('Page {0} holds no text.', page),
      (pages) => t('Pages {0} hold no text.', pages),
    ),
    ...said(
      damaged,
      (page) => t('Page {0} is damaged and could not be read.', page),
      (pages) => t('Pages {0} are damaged and could not be read.', pages),
    ),
  ];
}

function said(
  numbers: readonly number[],
  ofOne: (page: string) => string,
  ofMany: (pages: string) => string,
): string[] {
  if (numbers.length === 0) return [];
  return [numbers.length === 1 ? ofOne(listed(numbers)) : ofMany(listed(numbers))];
}

/** `2, 5 and 7–9` */
export function listed(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.flatMap(([from, to]) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${String(from)}–${String(to)}`];
  });
  return words.length > 1
    ? t('{0} and {1}', words.slice(0, -1).join(', '), words.at(-1) ?? '')
    : (words[0] ?? '');
}
