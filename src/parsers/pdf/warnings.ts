import { t } from '@vscode/l10n';

/** Parts of a PDF that can't be read; page numbers are one-based and ascending. */
interface UnreadParts {
  /** Pages with images but no text, such as scans. */
  readonly images: readonly number[];
  /** Pages with fonts that don't name their letters. */
  readonly garbled: readonly number[];
  /** Pages without words according to text recognition. */
  readonly wordless: readonly number[];
  /** Reasons why pages couldn't be recognized, as sentences. */
  readonly problems: readonly string[];
  readonly blank: readonly number[];
  /** Reports if a dynamic form (XFA) was read; undefined if the PDF isn't one. */
  readonly form: 'read' | 'unread' | undefined;
  /** Names of files in the PDF. */
  readonly attached: readonly string[];
  readonly isPortfolio: boolean;
  readonly damaged: readonly number[];
  /** Number of pages that were found, if the file's own page list was lost. */
  readonly salvaged: number | undefined;
  /** Number of pages that were read. */
  readonly read: number;
  /** Number of pages at the end that weren't read because the file is too long. */
  readonly leftOut: number;
}

/** Maximum number of sentences about single pages. More would add nothing new. */
const MAX_PROBLEMS = 5;

/** Returns one sentence for each kind of unreadable part. */
export function describeWarnings({
  images,
  garbled,
  wordless,
  problems,
  blank,
  form,
  attached,
  isPortfolio,
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
            ? t('The file is damaged. Open Notebook recovered one page, but other pages may be missing.')
            : t(
                'The file is damaged. Open Notebook recovered {0} pages, but other pages may be missing.',
                salvaged,
              ),
        ]),
    ...(leftOut === 0
      ? []
      : [
          t(
            'Only the first {0} of {1} pages were read because the PDF is too long. To read the rest, split the PDF and add the remaining pages.',
            read,
            read + leftOut,
          ),
        ]),
    ...(form === undefined
      ? []
      : [
          form === 'read'
            ? t(
                'This PDF is a dynamic form (XFA). Its text was read without its layout, so citations open its placeholder page.',
              )
            : t(
                'Can’t read this dynamic form (XFA), so only its placeholder page was read. Open it in Adobe Acrobat, print it as a PDF, then add that PDF.',
              ),
        ]),
    ...(attached.length === 0
      ? []
      : [
          isPortfolio
            ? t(
                'This PDF is a portfolio whose files weren’t read: {0}. Save them from a PDF viewer, then add them as separate sources.',
                listNames(attached),
              )
            : t(
                'Attached files weren’t read: {0}. Save them from a PDF viewer, then add them as separate sources.',
                listNames(attached),
              ),
        ]),
    ...describePages(
      images,
      (page) =>
        t(
          'Page {0} is an image without text, so it can’t be searched or cited. Run text recognition (OCR) on the PDF, then refresh the source.',
          page,
        ),
      (pages) =>
        t(
          'Pages {0} are images without text, so they can’t be searched or cited. Run text recognition (OCR) on the PDF, then refresh the source.',
          pages,
        ),
    ),
    ...describePages(
      garbled,
      (page) =>
        t(
          'Can’t read the text on page {0} because its fonts don’t identify their characters. Run text recognition (OCR) on the PDF, then refresh the source.',
          page,
        ),
      (pages) =>
        t(
          'Can’t read the text on pages {0} because their fonts don’t identify their characters. Run text recognition (OCR) on the PDF, then refresh the source.',
          pages,
        ),
    ),
    ...describePages(
      wordless,
      (page) => t('Text recognition found no words on page {0}.', page),
      (pages) => t('Text recognition found no words on pages {0}.', pages),
    ),
    ...problems.slice(0, MAX_PROBLEMS),
    ...describePages(
      blank,
      (page) => t('Page {0} has no text.', page),
      (pages) => t('Pages {0} have no text.', pages),
    ),
    ...describePages(
      damaged,
      (page) => t('Skipped page {0} because it’s damaged.', page),
      (pages) => t('Skipped pages {0} because they’re damaged.', pages),
    ),
  ];
}

/** Maximum number of names in a warning. */
const MAX_NAMES = 20;

/** Formats names as a list, cut if there are many. */
export function listNames(names: readonly string[]): string {
  const listedNames = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES
    ? t('{0}, and {1} more', listedNames, names.length - MAX_NAMES)
    : listedNames;
}

function describePages(
  numbers: readonly number[],
  ofOne: (page: string) => string,
  ofMany: (pages: string) => string,
): string[] {
  if (numbers.length === 0) return [];
  return [numbers.length === 1 ? ofOne(listPages(numbers)) : ofMany(listPages(numbers))];
}

/** Formats numbers as a list: `2, 5 and 7–9`. */
export function listPages(numbers: readonly number[]): string {
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
