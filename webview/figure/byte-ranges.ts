import { t } from '@vscode/l10n';
import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Minimum size of a request, in bytes. */
export const RANGE_SIZE = 2 ** 18;

/** Reads the bytes of a file from `begin` on and before `end`. */
export type ReadBytes = (begin: number, end: number) => Promise<Uint8Array>;

/** Supplies pdf.js with ranges of a file. Reports ranges that can't be read, for which pdf.js then waits in vain. */
export class ByteRanges extends PDFDataRangeTransport {
  readonly #read: ReadBytes;
  readonly #onLost: (reason: unknown) => void;
  #isOver = false;

  /** `start` is the beginning of the file, or all of it. */
  constructor(length: number, start: Uint8Array, read: ReadBytes, onLost: (reason: unknown) => void) {
    super(length, start, start.length >= length);
    this.#read = read;
    this.#onLost = onLost;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then(
      (bytes) => {
        if (this.#isOver) return;
        if (bytes.length < end - begin)
          this.#onLost(
            new Error(t('The file changed while Open Notebook was reading it. Open the file again.')),
          );
        else this.onDataRange(begin, bytes);
      },
      (error: unknown) => {
        if (!this.#isOver) this.#onLost(error);
      },
    );
  }

  override abort(): void {
    this.#isOver = true;
  }
}
