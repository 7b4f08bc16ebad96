import { t } from '@vscode/l10n';
import type { Heading, OffsetMap } from '../../../core/domain/document.ts';
import {
  figuresIn,
  figuresAt,
  sentencesNaming,
  mayShowFigure,
  type TextFigures,
} from '../../../core/language/figures.ts';
import { overlap, type Span } from '../../../core/language/span.ts';
import type { TextFormat } from '../../../core/language/units.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { DocumentEntry } from '../../../core/domain/source.ts';
import { PackedText, unpackMap } from './packing.ts';

/** Returns the warning for a document whose stored data is damaged. */
export function damagedSentence(): string {
  return t(
    'The stored text of this document is damaged, so it can’t be searched. Refresh its source to read it again.',
  );
}

/** Approximate memory of a figure's position or name, in bytes. */
const BYTES_OF_FIGURE = 200;

interface PackedDocument {
  readonly entry: DocumentEntry;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly headings: readonly Heading[];
  /** Text and map are packed. */
  readonly text: Uint8Array;
  readonly map: Uint8Array;
  /** The text itself, if it was just packed. */
  readonly whole?: string;
}

/** Stored document without its passages. It unpacks the map and the text on demand; of a long text, only parts. */
export class StoredDocument {
  readonly entry: DocumentEntry;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly headings: readonly Heading[];
  readonly #text: PackedText;
  readonly #packedMap: Uint8Array;
  /** Size of the packed data in bytes. */
  readonly #packed: number;
  #map: OffsetMap | undefined;
  #figures: TextFigures | undefined;
  #hasPictures: boolean | undefined;
  /** Sentences about each figure, by its index. */
  readonly #said = new Map<number, readonly Span[]>();

  /** @throws NotebookError `damaged`, as every method that unpacks data */
  constructor({ entry, format, languageId, headings, text, map, whole }: PackedDocument) {
    this.entry = entry;
    this.format = format;
    this.languageId = languageId;
    this.headings = headings;
    this.#text = readUndamaged(() => new PackedText(text, whole));
    this.#packedMap = map;
    this.#packed = text.length + map.length;
  }

  /** Length of the text in UTF-16 code units. */
  get length(): number {
    return this.#text.length;
  }

  /** Approximate memory currently in use, in bytes. */
  get memory(): number {
    const unpackedMap = this.#map !== undefined && 'starts' in this.#map ? 32 * this.#map.starts.length : 0;
    const { figures = [], mentions = [] } = this.#figures ?? {};
    const figureBytes = BYTES_OF_FIGURE * (figures.length + mentions.length);
    return 1_000 + this.#packed + 2 * this.#text.unpacked + unpackedMap + figureBytes;
  }

  /** Whole text. @throws NotebookError `damaged` */
  get text(): string {
    return readUndamaged(() => this.#text.readWhole());
  }

  /** Map from the text to the original. @throws NotebookError `damaged` */
  get map(): OffsetMap {
    return (this.#map ??= readUndamaged(() => unpackMap(this.#packedMap)));
  }

  /** `true` if the text may have pictures, in Markdown or HTML. */
  get hasPictures(): boolean {
    return (this.#hasPictures ??= /!\[|<img\s/i.test(this.text));
  }

  /** Figures in the text, found on first use. */
  get figures(): TextFigures {
    return (this.#figures ??= figuresIn(this.text, this.format));
  }

  /** Returns related spans elsewhere: sentences about the figures in a range. */
  understoodWith(stretch: Span): readonly Span[] {
    if (this.format === 'code' || !mayShowFigure(this.slice(stretch.start, stretch.end))) return [];
    const { figures } = this;
    return figuresAt(figures, stretch)
      .filter((figure) => overlap(figures.figures[figure] ?? stretch, stretch) > 0)
      .flatMap((figure) => this.#findSaid(figure))
      .filter((sentence) => overlap(sentence, stretch) === 0);
  }

  #findSaid(figure: number): readonly Span[] {
    const said = this.#said.get(figure) ?? sentencesNaming(this.text, this.figures, figure);
    this.#said.set(figure, said);
    return said;
  }

  /** Unpacks all stored data. @throws NotebookError `damaged` */
  unpack(): void {
    readUndamaged(() => this.#text.readWhole());
    this.#map ??= readUndamaged(() => unpackMap(this.#packedMap));
  }

  /** Returns a part of the text; offsets are in UTF-16 code units. @throws NotebookError `damaged` */
  slice(start: number, end: number): string {
    return readUndamaged(() => this.#text.slice(start, end));
  }
}

function readUndamaged<T>(unpack: () => T): T {
  try {
    return unpack();
  } catch (cause) {
    throw new NotebookError('damaged', damagedSentence(), { cause });
  }
}
