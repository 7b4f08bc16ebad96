import { setImmediate as yieldToMessages } from 'node:timers/promises';
import { packTextInThreadPool } from '../store/sources/packing.ts';
import type { WrittenDocument } from '../store/sources/document-store.ts';
import type { DocumentInput } from '../store/sources/sources-api.ts';

/** Maximum number of documents in a transaction, and of the UTF-16 code units of their texts. */
const MAX_DOCUMENTS = 32;
const MAX_LENGTH = 500_000;

/** Document to write. */
interface QueuedDocument {
  readonly sourceId: string;
  readonly input: DocumentInput;
  /** Its packed text; undefined if packing failed. */
  readonly packed: Promise<Uint8Array | undefined>;
  readonly outcome: PromiseWithResolvers<WrittenDocument | undefined>;
}

interface DocumentWriterParts {
  /** Runs an action in a transaction, which is rolled back on an error. */
  readonly transaction: <T>(action: () => T) => T;
  /** Writes a document; undefined if its source was removed. */
  readonly write: (
    sourceId: string,
    input: DocumentInput,
    packed: Uint8Array | undefined,
  ) => WrittenDocument | undefined;
  /** Updates the index with documents that were written. */
  readonly follow: (written: readonly WrittenDocument[]) => Promise<void>;
}

/**
 * Writer of documents. Those that arrive while others are written share a transaction, because most of the cost of a
 * small transaction is its commit. A document that can't be written doesn't affect the others.
 */
export class DocumentWriter {
  readonly #parts: DocumentWriterParts;
  #queue: QueuedDocument[] = [];
  #writing: Promise<void> | undefined;

  constructor(parts: DocumentWriterParts) {
    this.#parts = parts;
  }

  /** Resolves once the document is committed and in the index; to undefined if its source was removed. */
  put(sourceId: string, input: DocumentInput): Promise<WrittenDocument | undefined> {
    const outcome = Promise.withResolvers<WrittenDocument | undefined>();
    // Compression takes a fifth of the time of writing, so it runs beside the writing of earlier documents. If it fails,
    // the writer packs the text itself, and reports the error.
    const packed = packTextInThreadPool(input.document.text).catch(() => undefined);
    this.#queue.push({ sourceId, input, packed, outcome });
    this.#writing ??= this.#writeAll();
    return outcome.promise;
  }

  /** Resolves when no document waits. */
  async waitUntilIdle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      // Each turn of the event loop brings in at most one message.
      for (let known = 0; known < this.#queue.length && known < MAX_DOCUMENTS;) {
        known = this.#queue.length;
        await yieldToMessages();
      }
      const batch = this.#takeBatch();
      const results = this.#write(await Promise.all(batch.map(withPackedText)));
      try {
        await this.#parts.follow(
          results.flatMap((result) => ('written' in result ? (result.written ?? []) : [])),
        );
        for (const [i, { outcome }] of batch.entries()) {
          const result = results[i];
          if (result === undefined || 'error' in result) outcome.reject(result?.error);
          else outcome.resolve(result.written);
        }
      } catch (error) {
        for (const { outcome } of batch) outcome.reject(error);
      }
    }
    this.#writing = undefined;
  }

  #takeBatch(): QueuedDocument[] {
    let length = 0;
    const end = this.#queue.findIndex(({ input }, i) => {
      length += input.document.text.length;
      return i > 0 && (i === MAX_DOCUMENTS || length > MAX_LENGTH);
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  /** Writes documents in one transaction, or if that fails, each in its own. */
  #write(batch: readonly PackedDocument[]): WriteResult[] {
    const write = ({ sourceId, input, packed }: PackedDocument): WriteResult => ({
      written: this.#parts.write(sourceId, input, packed),
    });
    try {
      return this.#parts.transaction(() => batch.map(write));
    } catch (error) {
      if (batch.length === 1) return [{ error }];
      return batch.map((each) => this.#write([each])[0] ?? { error });
    }
  }
}

type PackedDocument = Pick<QueuedDocument, 'input' | 'sourceId'> & {
  readonly packed: Uint8Array | undefined;
};

async function withPackedText({ sourceId, input, packed }: QueuedDocument): Promise<PackedDocument> {
  return { sourceId, input, packed: await packed };
}

type WriteResult = { readonly written: WrittenDocument | undefined } | { readonly error: unknown };
