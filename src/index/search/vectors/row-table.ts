/** Growth factor of a full table. */
const GROWTH = 1.25;
/** Smallest hash table. */
const MIN_PLACES = 64;

/**
 * IDs (positive integers) and owners of an index's rows, and the rows by their IDs. A free row has the ID 0.
 */
export class RowTable {
  #ids = new Float64Array(0);
  #owners = new Uint32Array(0);
  /**
   * Hash table of each row plus one, with linear probing; 0 is free. A row that was freed or reused stays until the table
   * is filled again, and no longer has the ID.
   */
  #places = new Uint32Array(0);
  /** Number of places in use. */
  #used = 0;
  #size = 0;

  /** Number of rows that aren't free. */
  get size(): number {
    return this.#size;
  }

  /** Memory in bytes. */
  get bytes(): number {
    return this.#ids.byteLength + this.#owners.byteLength + this.#places.byteLength;
  }

  /** Makes room for this number of rows. */
  reserve(rows: number): void {
    if (rows <= this.#ids.length) return;
    const length = Math.max(rows, Math.ceil(GROWTH * this.#ids.length));
    const ids = new Float64Array(length);
    ids.set(this.#ids);
    this.#ids = ids;
    const owners = new Uint32Array(length);
    owners.set(this.#owners);
    this.#owners = owners;
  }

  /** Returns the row with an ID. */
  find(id: number): number | undefined {
    if (this.#places.length === 0 || id === 0) return undefined;
    const last = this.#places.length - 1;
    for (let at = hashOf(id) & last; ; at = (at + 1) & last) {
      const place = this.#places[at] ?? 0;
      if (place === 0) return undefined;
      if (this.#ids[place - 1] === id) return place - 1;
    }
  }

  /** Returns the ID of a row; 0 if it's free. */
  id(row: number): number {
    return this.#ids[row] ?? 0;
  }

  owner(row: number): number {
    return this.#owners[row] ?? 0;
  }

  /** Fills a free row. */
  set(row: number, id: number, owner: number): void {
    this.#ids[row] = id;
    this.#owners[row] = owner;
    this.#size++;
    if (2 * (this.#used + 1) > this.#places.length) this.#fill();
    else this.#put(row);
  }

  /** Frees a row. */
  free(row: number): void {
    this.#ids[row] = 0;
    this.#size--;
  }

  /** Makes a table of the rows in which at least half of the places are free. */
  #fill(): void {
    let places = MIN_PLACES;
    while (places < 3 * this.#size) places *= 2;
    this.#places = new Uint32Array(places);
    this.#used = 0;
    for (let row = 0; row < this.#ids.length; row++) if (this.id(row) !== 0) this.#put(row);
  }

  #put(row: number): void {
    const last = this.#places.length - 1;
    let at = hashOf(this.id(row)) & last;
    while (this.#places[at] !== 0) at = (at + 1) & last;
    this.#places[at] = row + 1;
    this.#used++;
  }
}

/** Returns a hash of an ID, which may have more than 32 bits. */
function hashOf(id: number): number {
  const hash = Math.imul((id % 2 ** 32) ^ (id / 2 ** 32), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
