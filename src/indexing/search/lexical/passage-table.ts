import type { AnyDocumentStore } from '@orama/orama';
import type { ByteReader, ByteWriter } from './snapshot-bytes.ts';

/** Table with the store's row and the source of each passage, by its slot in the postings. */
export class PassageTable implements AnyDocumentStore {
  /** Only Orama's type needs it. */
  readonly docs = {};
  #rows = new Float64Array(1024);
  #sourceBySlot = new Uint32Array(1024);
  #sources: string[] = [];
  #ordinals = new Map<string, number>();
  readonly #slotByRow = new Map<number, number>();

  get size(): number {
    return this.#slotByRow.size;
  }

  /** Returns all rows, in the order of their slots. */
  rows(): number[] {
    return [...this.#slotByRow.keys()];
  }

  slot(row: number): number | undefined {
    return this.#slotByRow.get(row);
  }

  /** Returns the row in a slot; undefined if the slot is free. */
  rowIn(slot: number): number | undefined {
    const row = this.#rows[slot];
    return row === undefined || row === 0 ? undefined : row;
  }

  setRow(slot: number, row: number): void {
    if (slot >= this.#rows.length) {
      const size = Math.ceil(slot * 1.5);
      const rows = new Float64Array(size);
      rows.set(this.#rows);
      this.#rows = rows;
      const sourceBySlot = new Uint32Array(size);
      sourceBySlot.set(this.#sourceBySlot);
      this.#sourceBySlot = sourceBySlot;
    }
    this.#rows[slot] = row;
    this.#slotByRow.set(row, slot);
  }

  setSource(slot: number, source: string): void {
    let ordinal = this.#ordinals.get(source);
    if (ordinal === undefined) {
      ordinal = this.#sources.push(source) - 1;
      this.#ordinals.set(source, ordinal);
    }
    this.#sourceBySlot[slot] = ordinal;
  }

  remove(slot: number): boolean {
    const row = this.rowIn(slot);
    if (row === undefined) return false;
    this.#rows[slot] = 0;
    return this.#slotByRow.delete(row);
  }

  /** Returns a function that reports whether a slot's passage belongs to one of these sources. */
  ofSources(sources: readonly string[]): (slot: number) => boolean {
    const included = new Uint8Array(this.#sources.length);
    for (const source of sources) {
      const ordinal = this.#ordinals.get(source);
      if (ordinal !== undefined) included[ordinal] = 1;
    }
    const sourceBySlot = this.#sourceBySlot;
    return (slot) => included[sourceBySlot[slot] ?? 0] === 1;
  }

  /** Closes the same gaps as the postings, and drops sources without passages. */
  compact(moved: Uint32Array): void {
    const before = { rows: this.#rows, sourceBySlot: this.#sourceBySlot, sources: this.#sources };
    this.#rows = new Float64Array(before.rows.length);
    this.#sourceBySlot = new Uint32Array(before.sourceBySlot.length);
    this.#sources = [];
    this.#ordinals = new Map();
    this.#slotByRow.clear();
    for (const [slot, to] of moved.entries()) {
      if (to === 0) continue;
      this.setRow(to, before.rows[slot] ?? 0);
      this.setSource(to, before.sources[before.sourceBySlot[slot] ?? 0] ?? '');
    }
  }

  /** Writes the slots from 1 on; call `compact` first. */
  write(writer: ByteWriter): void {
    writer.strings(this.#sources);
    writer.varint(this.size);
    for (let slot = 1; slot <= this.size; slot++) {
      writer.varint(this.#rows[slot] ?? 0);
      writer.varint(this.#sourceBySlot[slot] ?? 0);
    }
  }

  static read(reader: ByteReader): PassageTable {
    const table = new PassageTable();
    const sources = reader.strings();
    const size = reader.varint();
    for (let slot = 1; slot <= size; slot++) {
      table.setRow(slot, reader.varint());
      table.setSource(slot, sources[reader.varint()] ?? '');
    }
    return table;
  }
}
