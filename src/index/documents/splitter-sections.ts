import { firstIndex } from '../../core/language/first-index.ts';
import type { Heading } from '../../core/domain/document.ts';
import type { Span } from '../../core/language/span.ts';

/** Text from one heading to the next, with its headings, outermost first. */
export interface Section extends Span {
  readonly headings: readonly string[];
  /** Heading at its start. */
  readonly own: Heading | undefined;
}

/** Sections of a document, from its headings. */
export class Sections {
  readonly #headings: readonly Heading[];
  /** Parent of each heading, or -1. */
  readonly #parents: number[] = [];
  readonly #end: number;
  /** Sections already returned, by heading. */
  readonly #sections = new Map<number, Section>();

  constructor(headings: readonly Heading[], end: number) {
    this.#headings = headings.toSorted((a, b) => a.offset - b.offset);
    this.#end = end;
    const open: number[] = [];
    for (const [i, { level }] of this.#headings.entries()) {
      while (open.length > 0 && this.#findLevel(open.at(-1) ?? -1) >= level) open.pop();
      this.#parents.push(open.at(-1) ?? -1);
      open.push(i);
    }
  }

  /**
   * Returns the last possible end of a passage that starts at an offset: the next heading at least `minLength` away, or the
   * next one above the level of the section at the offset.
   */
  endAfter(offset: number, minLength: number): number {
    const current = this.#at(offset);
    const level = this.#findLevel(current);
    for (let i = current + 1; i < this.#headings.length; i++) {
      const heading = this.#headings[i];
      if (heading !== undefined && (heading.offset - offset >= minLength || heading.level < level))
        return heading.offset;
    }
    return this.#end;
  }

  /**
   * Returns the last heading after an offset with at most `room` before `end`, so that the text after it stays whole.
   */
  lastStart(offset: number, end: number, room: number): number | undefined {
    const heading = this.#headings[this.#at(end - 1)];
    return heading !== undefined && heading.offset > offset && end - heading.offset <= room
      ? heading.offset
      : undefined;
  }

  /** Returns the titles of the headings that enclose the whole span, outermost first. */
  headingPath(span: Span): string[] {
    const last = this.#at(span.end - 1);
    let common = this.#pathTo(this.#at(span.start));
    for (let i = this.#at(span.start) + 1; i <= last; i++) {
      const path = this.#pathTo(i);
      const differs = common.findIndex((heading, depth) => path[depth] !== heading);
      if (differs >= 0) common = common.slice(0, differs);
    }
    return this.#listTitles(common);
  }

  /** Returns the whole sections that a span touches, in order. Repeated calls return the same objects. */
  touchedBy(span: Span): Section[] {
    const touched: Section[] = [];
    for (let at = this.#at(span.start); at <= this.#at(span.end - 1); at++) {
      const own = this.#headings[at];
      const start = own?.offset ?? 0;
      const end = this.#headings[at + 1]?.offset ?? this.#end;
      const section = this.#sections.get(at) ?? {
        start,
        end,
        own,
        headings: this.#listTitles(this.#pathTo(at)),
      };
      this.#sections.set(at, section);
      if (start < end) touched.push(section);
    }
    return touched;
  }

  #listTitles(path: readonly number[]): string[] {
    return path.map((heading) => this.#headings[heading]?.title ?? '').filter((title) => title !== '');
  }

  /** Returns the last heading at or before an offset, or -1. */
  #at(offset: number): number {
    return firstIndex(this.#headings.length, (index) => (this.#headings[index]?.offset ?? 0) > offset) - 1;
  }

  #findLevel(heading: number): number {
    return this.#headings[heading]?.level ?? 0;
  }

  #pathTo(heading: number): number[] {
    const path: number[] = [];
    for (let at = heading; at >= 0; at = this.#parents[at] ?? -1) path.unshift(at);
    return path;
  }
}
