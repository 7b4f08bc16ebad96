import type { AnyDocumentStore } from '@orama/orama';
import type { SnapshotReader, SnapshotWriter } from './snapshot-arrays.ts';

/** Growth factor of a full table. */
const GROWTH = 1.5;

/** Table with the store's row, the source, and the document of each passage, by its slot in the postings. */
export class PassageTable implements AnyDocumentStore {
  /** Always empty; required by Orama's type. */
  readonly docs = {};
  #rows: Float64Array = new Float64Array(1024);
  #sourceBySlot: Uint32Array = new Uint32Array(1024);
  #documentBySlot: Float64Array = new Float64Array(1024);
  /** Last slot of each document, and by slot the one before it of the same document; 0 for none. */
  #lastSlots = new Map<number, number>();
  #previousSlots: Uint32Array = new Uint32Array(1024);
  #sources: string[] = [];
  #ordinals = new Map<string, number>();
  /**
   * Hash table of the slots by their rows, with linear probing; 0 is free. A slot whose passage was removed stays until
   * the table grows, and no longer has the row.
   */
  #table: Uint32Array = new Uint32Array(2048);
  /** Number of slots in the table. */
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns all rows, in the order of their slots. */
  rows(): number[] {
    return Array.from(this.#rows).filter((row) => row !== 0);
  }

  /** Returns the slot of a row; undefined if the row isn't in the table. */
  slot(row: number): number | undefined {
    if (row === 0) return undefined;
    const last = this.#table.length - 1;
    for (let at = hashOf(row) & last; ; at = (at + 1) & last) {
      const slot = this.#table[at] ?? 0;
      if (slot === 0) return undefined;
      if (this.#rows[slot] === row) return slot;
    }
  }

  /** Returns the row in a slot; undefined if the slot is free. */
  rowIn(slot: number): number | undefined {
    const row = this.#rows[slot];
    return row === undefined || row === 0 ? undefined : row;
  }

  setRow(slot: number, row: number): void {
    if (slot >= this.#rows.length) {
      const size = Math.ceil(slot * GROWTH);
      const rows = new Float64Array(size);
      rows.set(this.#rows);
      this.#rows = rows;
      const sourceBySlot = new Uint32Array(size);
      sourceBySlot.set(this.#sourceBySlot);
      this.#sourceBySlot = sourceBySlot;
      const documentBySlot = new Float64Array(size);
      documentBySlot.set(this.#documentBySlot);
      this.#documentBySlot = documentBySlot;
      const previousSlots = new Uint32Array(size);
      previousSlots.set(this.#previousSlots);
      this.#previousSlots = previousSlots;
    }
    this.#rows[slot] = row;
    this.#size++;
    if (2 * (this.#used + 1) > this.#table.length) this.#fillTable();
    else this.#putIntoTable(slot, row);
  }

  /** Makes a table of the current passages, in which at least half of the places are free. */
  #fillTable(): void {
    let places = this.#table.length;
    while (places < 4 * this.#size) places *= 2;
    this.#table = new Uint32Array(places);
    this.#used = 0;
    for (const [slot, row] of this.#rows.entries()) if (row !== 0) this.#putIntoTable(slot, row);
  }

  #putIntoTable(slot: number, row: number): void {
    const last = this.#table.length - 1;
    let at = hashOf(row) & last;
    while (this.#table[at] !== 0) at = (at + 1) & last;
    this.#table[at] = slot;
    this.#used++;
  }

  setSource(slot: number, source: string): void {
    let ordinal = this.#ordinals.get(source);
    if (ordinal === undefined) {
      ordinal = this.#sources.push(source) - 1;
      this.#ordinals.set(source, ordinal);
    }
    this.#sourceBySlot[slot] = ordinal;
  }

  setDocument(slot: number, document: number): void {
    this.#documentBySlot[slot] = document;
    this.#previousSlots[slot] = this.#lastSlots.get(document) ?? 0;
    this.#lastSlots.set(document, slot);
  }

  /** Returns the document of a slot's passage. */
  documentIn(slot: number): number {
    return this.#documentBySlot[slot] ?? 0;
  }

  /** Returns the rows of a document's passages. */
  rowsOfDocument(document: number): number[] {
    const rows: number[] = [];
    for (let slot = this.#lastSlots.get(document) ?? 0; slot !== 0; slot = this.#previousSlots[slot] ?? 0) {
      const row = this.#rows[slot] ?? 0;
      if (row !== 0) rows.push(row);
    }
    return rows;
  }

  /** Yields the documents with passages. */
  *documents(): Generator<number> {
    for (const document of this.#lastSlots.keys())
      if (this.rowsOfDocument(document).length > 0) yield document;
  }

  remove(slot: number): boolean {
    const row = this.rowIn(slot);
    if (row === undefined) return false;
    this.#rows[slot] = 0;
    this.#size--;
    return true;
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
    const before = {
      ...{ rows: this.#rows, sourceBySlot: this.#sourceBySlot, sources: this.#sources },
      documentBySlot: this.#documentBySlot,
    };
    this.#documentBySlot = new Float64Array(before.rows.length);
    this.#previousSlots = new Uint32Array(before.rows.length);
    this.#lastSlots = new Map();
    this.#rows = new Float64Array(before.rows.length);
    this.#sourceBySlot = new Uint32Array(before.sourceBySlot.length);
    this.#sources = [];
    this.#ordinals = new Map();
    this.#table.fill(0);
    this.#used = 0;
    this.#size = 0;
    for (const [slot, to] of moved.entries()) {
      if (to === 0) continue;
      this.setRow(to, before.rows[slot] ?? 0);
      this.setSource(to, before.sources[before.sourceBySlot[slot] ?? 0] ?? '');
      this.setDocument(to, before.documentBySlot[slot] ?? 0);
    }
  }

  /** Writes the slots from 1 on; call `compact` first. */
  write(writer: SnapshotWriter): void {
    const end = this.#size + 1;
    writer.array(Float64Array.of(this.#size, this.#used));
    writer.array(this.#rows.subarray(0, end));
    writer.array(this.#sourceBySlot.subarray(0, end));
    writer.array(this.#documentBySlot.subarray(0, end));
    writer.array(this.#previousSlots.subarray(0, end));
    writer.array(Float64Array.from([...this.#lastSlots].flat()));
    writer.array(this.#table);
    writer.strings(this.#sources);
  }

  /** Uses the table in a snapshot. */
  static read(reader: SnapshotReader): PassageTable {
    const table = new PassageTable();
    [table.#size = 0, table.#used = 0] = reader.array(Float64Array);
    table.#rows = reader.array(Float64Array);
    table.#sourceBySlot = reader.array(Uint32Array);
    table.#documentBySlot = reader.array(Float64Array);
    table.#previousSlots = reader.array(Uint32Array);
    const lastSlots = reader.array(Float64Array);
    for (let i = 0; i < lastSlots.length; i += 2)
      table.#lastSlots.set(lastSlots[i] ?? 0, lastSlots[i + 1] ?? 0);
    table.#table = reader.array(Uint32Array);
    table.#sources = reader.strings();
    table.#ordinals = new Map(table.#sources.map((source, ordinal) => [source, ordinal]));
    return table;
  }
}

/** Returns a hash of a row, which may have more than 32 bits. */
function hashOf(row: number): number {
  const hash = Math.imul((row % 2 ** 32) ^ (row / 2 ** 32), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
