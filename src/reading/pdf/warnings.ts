/** What could not be read of a PDF; page numbers are one-based and ascending. */
export interface Unread {
  /** Images without text, as scans are. */
  readonly images: readonly number[];
  /** Text of fonts that do not say which letters they draw. */
  readonly garbled: readonly number[];
  readonly blank: readonly number[];
  readonly damaged: readonly number[];
  /** The number of pages found, where the file's own list of them was lost. */
  readonly salvaged: number | undefined;
}

/** One sentence for each thing that could not be read. */
export function warningsOf({ images, garbled, blank, damaged, salvaged }: Unread): string[] {
  const warnings: string[] = [];
  if (salvaged !== undefined) {
    const pages = salvaged === 1 ? 'one page' : `${String(salvaged)} pages`;
    warnings.push(`The file is damaged; ${pages} could be found in it and may not be all.`);
  }
  const say = (numbers: readonly number[], one: string, many: string): void => {
    if (numbers.length === 1) warnings.push(`Page ${listed(numbers)} ${one}`);
    else if (numbers.length > 1) warnings.push(`Pages ${listed(numbers)} ${many}`);
  };
  say(
    images,
    'is an image without text, so nothing on it can be found or cited; run text recognition on the PDF and refresh it.',
    'are images without text, so nothing on them can be found or cited; run text recognition on the PDF and refresh it.',
  );
  say(
    garbled,
    'has fonts that do not say which letters they draw, so its text cannot be read; run text recognition on the PDF and refresh it.',
    'have fonts that do not say which letters they draw, so their text cannot be read; run text recognition on the PDF and refresh it.',
  );
  say(blank, 'holds no text.', 'hold no text.');
  say(damaged, 'is damaged and could not be read.', 'are damaged and could not be read.');
  return warnings;
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
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}` : (words[0] ?? '');
}
