import { pageIndexOf } from '../../../core/domain/page-number.ts';
import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import { annotationBounds, type Annotation, type AnnotationChange } from '../../../core/domain/annotation.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { FileIndex, type FileBytes } from './file-index.ts';
import {
  CutOff,
  Malformed,
  raw,
  refTo,
  withEntries,
  writeValue,
  type PdfDictionary,
  type PdfRef,
  type PdfValue,
} from './values.ts';
import {
  writeAppearance,
  changedEntries,
  changedRemark,
  isDrawn,
  kindOfSubtype,
  writtenAnnotation,
} from './written-annotation.ts';

/** Bytes to append to a file to change its annotations. The rest of the file stays the same byte by byte. */
export interface SavedAnnotations {
  readonly tail: Uint8Array;
  /** Object names of added or changed annotations by their keys: `12R`. */
  readonly refs: Readonly<Record<string, string>>;
}

/** Result of a check whether annotations can be saved in a file. */
export type Savable =
  | { readonly kind: 'yes'; readonly isSigned: boolean }
  | { readonly kind: 'no'; readonly reason: 'encrypted' | 'damaged' }
  | { readonly kind: 'no'; readonly reason: 'forbidden'; readonly mayBeFilledIn: boolean };

/** Maximum distance between the corners of equal annotations, in points: files round them. */
const SAME_WITHIN = 2;
/** Maximum number of annotations on a page; a page with more is malicious. */
const MAX_ANNOTATIONS = 100_000;
/** Maximum nesting depth of the page tree. */
const DEEPEST_PAGES = 50;

/** Checks whether annotations can be saved in a file. */
export function savableAnnotations(bytes: FileBytes): Savable {
  try {
    const file = new FileIndex(bytes);
    if (file.trailer.entries.has('Encrypt')) return { kind: 'no', reason: 'encrypted' };
    const catalog = findCatalog(file);
    const allowed = allowedChanges(file, catalog);
    if (allowed < 3) return { kind: 'no', reason: 'forbidden', mayBeFilledIn: allowed === 2 };
    pageAt(file, catalog, 0);
    const form = file.dictionary(catalog.entries.get('AcroForm'));
    const flags = file.number(form?.entries.get('SigFlags')) ?? 0;
    return { kind: 'yes', isSigned: (flags & 1) === 1 };
  } catch (error) {
    if (error instanceof Malformed || error instanceof CutOff) return { kind: 'no', reason: 'damaged' };
    throw error;
  }
}

/**
 * Returns the bytes to append to a file to change its annotations. Searches an annotation to change or remove by its
 * object first and then, because another program may have rewritten the file, among all on its page. If it no longer
 * exists, a changed one is added again, and a removed one needs no change.
 * @throws NotebookError `unsupported` if the file can't hold annotations
 */
export function saveAnnotations(
  bytes: FileBytes,
  changes: readonly AnnotationChange[],
  name: string,
  date: Date,
): SavedAnnotations {
  try {
    const file = new FileIndex(bytes);
    const catalog = findCatalog(file);
    const update = new Update(file, date);
    const byPage = Map.groupBy(changes, (change) =>
      change.kind === 'remove' ? change.before.page : change.annotation.page,
    );
    for (const [page, some] of byPage) update.changePage(pageAt(file, catalog, pageIndexOf(page)), some);
    return { tail: update.tail(bytes), refs: update.refs };
  } catch (cause) {
    if (!(cause instanceof Malformed || cause instanceof CutOff)) throw cause;
    throw new NotebookError(
      'unsupported',
      t(
        'Can’t save {0} because it isn’t a valid PDF. Save a copy with another program, then annotate the copy.',
        name,
      ),
      { cause },
    );
  }
}

interface FoundPage {
  readonly ref: PdfRef;
  readonly dictionary: PdfDictionary;
}

function findCatalog(file: FileIndex): PdfDictionary {
  const catalog = file.dictionary(file.trailer.entries.get('Root'));
  if (catalog === undefined) throw new Malformed('There is no catalog.');
  return catalog;
}

/** Returns the changes that a signature allows: 1 none, 2 forms, 3 annotations, too; 4 without such a signature. */
function allowedChanges(file: FileIndex, catalog: PdfDictionary): number {
  const permissions = file.dictionary(catalog.entries.get('Perms'));
  const signature = file.dictionary(permissions?.entries.get('DocMDP'));
  if (signature === undefined) return 4;
  const [reference] = file.array(signature.entries.get('Reference')) ?? [];
  const parameters = file.dictionary(file.dictionary(reference)?.entries.get('TransformParams'));
  return file.number(parameters?.entries.get('P')) ?? 2;
}

/** Returns a page by its index. */
function pageAt(file: FileIndex, catalog: PdfDictionary, index: number): FoundPage {
  let pagesToSkip = index;
  const search = (ref: PdfValue | undefined, depth: number): FoundPage | undefined => {
    const node = file.dictionary(ref);
    if (node === undefined || depth > DEEPEST_PAGES) throw new Malformed('The pages are not in a tree.');
    const kids = file.array(node.entries.get('Kids'));
    if (kids === undefined) {
      if (pagesToSkip-- > 0) return undefined;
      if (ref?.kind !== 'ref') throw new Malformed('A page is an object of its own.');
      return { ref, dictionary: node };
    }
    const count = file.number(node.entries.get('Count'));
    if (count !== undefined && pagesToSkip >= count) {
      pagesToSkip -= count;
      return undefined;
    }
    for (const kid of kids) {
      const pageInKid = search(kid, depth + 1);
      if (pageInKid !== undefined) return pageInKid;
    }
    return undefined;
  };
  const page = search(catalog.entries.get('Pages'), 0);
  if (page === undefined) throw new Malformed('There is no such page.');
  return page;
}

/** Rewritten objects, and the table that points to them. */
class Update {
  readonly #file: FileIndex;
  readonly #date: Date;
  readonly #written = new Map<number, { readonly generation: number; readonly text: string }>();
  readonly refs: Record<string, string> = {};
  #size: number;

  constructor(file: FileIndex, date: Date) {
    this.#file = file;
    this.#date = date;
    this.#size = file.size;
  }

  changePage({ ref, dictionary }: FoundPage, changes: readonly AnnotationChange[]): void {
    const before = this.#file.array(dictionary.entries.get('Annots')) ?? [];
    if (before.length > MAX_ANNOTATIONS) throw new Malformed('A page has too many annotations.');
    let annotations = [...before];
    for (const change of changes) {
      const existing = change.kind === 'add' ? undefined : this.#find(annotations, change.ref, change.before);
      if (change.kind === 'remove') {
        if (existing === undefined) continue;
        const removed = [existing.value, existing.dictionary.entries.get('Popup')];
        annotations = annotations.filter(
          (annotation) => !removed.some((other) => other && isSame(annotation, other)),
        );
      } else if (existing === undefined) annotations.push(this.#add(change.key, change.annotation, ref));
      else {
        const changed = this.#change(change.key, change.annotation, existing);
        annotations = annotations.map((annotation) => (annotation === existing.value ? changed : annotation));
      }
    }
    if (
      annotations.length === before.length &&
      annotations.every((annotation, i) => annotation === before[i])
    )
      return;
    const page = withEntries(dictionary, {
      Annots: annotations.length === 0 ? undefined : { kind: 'array', items: annotations },
    });
    this.#write(ref.number, ref.generation, writeValue(page));
  }

  /** Returns the bytes to append to the file; empty if nothing changes. */
  tail(bytes: FileBytes): Uint8Array {
    if (this.#written.size === 0) return new Uint8Array();
    const last = bytes.read(bytes.length - 1, bytes.length)[0];
    let tail = last === 10 || last === 13 ? '' : '\n';
    const base = bytes.length - this.#file.origin;
    const places = new Map<number, { readonly offset: number; readonly generation: number }>();
    for (const [number, { generation, text }] of this.#written) {
      places.set(number, { offset: base + tail.length, generation });
      tail += `${String(number)} ${String(generation)} obj\n${text}\nendobj\n`;
    }
    const start = base + tail.length;
    const table = this.#file.hasStreams
      ? this.#tableInStream(places, start, tail)
      : this.#table(places, tail);
    return Buffer.from(`${tail}${table}startxref\n${String(start)}\n%%EOF\n`, 'latin1');
  }

  #add(key: string, annotation: Annotation, page: PdfRef): PdfRef {
    const ref = this.#next();
    const appearance = this.#next();
    this.refs[key] = `${String(ref.number)}R`;
    const names = { key, page, appearance: appearance.number, date: this.#date };
    this.#write(ref.number, 0, writeValue(writtenAnnotation(annotation, names)));
    this.#write(appearance.number, 0, writeAppearance(annotation));
    return ref;
  }

  #change(key: string, annotation: Annotation, { value, dictionary }: FoundAnnotation): PdfValue {
    const isOurs = isDrawn(annotation.kind);
    const appearance = isOurs ? this.#next().number : 0;
    const entries = isOurs
      ? changedEntries(annotation, { appearance, date: this.#date })
      : changedRemark(annotation, this.#date);
    if (isOurs) this.#write(appearance, 0, writeAppearance(annotation));
    // A direct annotation in the page's list becomes an object of its own.
    const ref = value.kind === 'ref' ? value : this.#next();
    const generation = value.kind === 'ref' ? this.#file.generation(ref.number) : 0;
    this.#write(ref.number, generation, writeValue(withEntries(dictionary, entries)));
    this.refs[key] = `${String(ref.number)}R${generation === 0 ? '' : String(generation)}`;
    return ref;
  }

  #find(annotations: readonly PdfValue[], ref: string, annotation: Annotation): FoundAnnotation | undefined {
    const number = Number(/^(\d{1,10})R/.exec(ref)?.[1]);
    const match = (value: PdfValue): FoundAnnotation | undefined => {
      const dictionary = this.#file.dictionary(value);
      if (dictionary === undefined) return undefined;
      if (kindOfSubtype(this.#file.name(dictionary.entries.get('Subtype'))) !== annotation.kind)
        return undefined;
      return this.#isAt(dictionary, annotation) ? { value, dictionary } : undefined;
    };
    const named = annotations.find((value) => value.kind === 'ref' && value.number === number);
    const matching = named && match(named);
    if (matching !== undefined) return matching;
    for (const value of annotations) {
      const other = match(value);
      if (other !== undefined) return other;
    }
    return undefined;
  }

  /** Reports whether a dictionary is at the position of an annotation, by its corners, or else by its rectangle. */
  #isAt({ entries }: PdfDictionary, annotation: Annotation): boolean {
    const readNumbers = (key: string): number[] =>
      (this.#file.array(entries.get(key)) ?? []).map((item) => this.#file.number(item) ?? NaN);
    const corners = readNumbers('QuadPoints');
    const [left, bottom, right, top] = annotationBounds(annotation);
    const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_WITHIN;
    if (corners.length >= 8 && annotation.kind !== 'box') {
      const xs = corners.filter((_, index) => index % 2 === 0);
      const ys = corners.filter((_, index) => index % 2 === 1);
      return (
        isNear(Math.min(...xs), left) &&
        isNear(Math.min(...ys), bottom) &&
        isNear(Math.max(...xs), right) &&
        isNear(Math.max(...ys), top)
      );
    }
    const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = readNumbers('Rect');
    // Each reader gives a note's icon its own size, below the same corner.
    if (annotation.kind === 'note') return isNear(Math.min(x1, x2), left) && isNear(Math.max(y1, y2), top);
    return (
      isNear(Math.min(x1, x2), left) &&
      isNear(Math.min(y1, y2), bottom) &&
      isNear(Math.max(x1, x2), right) &&
      isNear(Math.max(y1, y2), top)
    );
  }

  #next(): PdfRef {
    return refTo(this.#size++);
  }

  #write(number: number, generation: number, text: string): void {
    this.#written.set(number, { generation, text });
  }

  #table(places: Places, tail: string): string {
    let table = 'xref\n';
    for (const numbers of cutRuns(places)) {
      table += `${String(numbers[0])} ${String(numbers.length)}\n`;
      for (const number of numbers) {
        const { offset = 0, generation = 0 } = places.get(number) ?? {};
        table += `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
      }
    }
    return `${table}trailer\n${writeValue(this.#trailer({}, tail))}\n`;
  }

  #tableInStream(places: Places, start: number, tail: string): string {
    const { number } = this.#next();
    const offsets = new Map([...places, [number, { offset: start, generation: 0 }]]);
    const rows = Buffer.alloc(offsets.size * 8);
    const index: PdfValue[] = [];
    let row = 0;
    for (const numbers of cutRuns(offsets)) {
      index.push(raw(String(numbers[0])), raw(String(numbers.length)));
      for (const objectNumber of numbers) {
        const { offset = 0, generation = 0 } = offsets.get(objectNumber) ?? {};
        rows.writeUInt8(1, row);
        rows.writeUIntBE(offset, row + 1, 5);
        rows.writeUInt16BE(generation, row + 6);
        row += 8;
      }
    }
    const dictionary = this.#trailer(
      {
        Type: { kind: 'name', name: 'XRef' },
        W: raw('[1 5 2]'),
        Index: { kind: 'array', items: index },
        Length: raw(String(rows.length)),
      },
      tail,
    );
    return `${String(number)} 0 obj\n${writeValue(dictionary)}\nstream\n${rows.toString('latin1')}\nendstream\nendobj\n`;
  }

  #trailer(more: Readonly<Record<string, PdfValue>>, tail: string): PdfDictionary {
    const { entries } = this.#file.trailer;
    const [first] = this.#file.array(entries.get('ID')) ?? [];
    const trailer = raw(
      `<${createHash('md5').update(tail, 'latin1').update(String(this.#date.getTime())).digest('hex')}>`,
    );
    return withEntries(
      { kind: 'dictionary', entries: new Map() },
      {
        Size: raw(String(this.#size)),
        Root: entries.get('Root'),
        Info: entries.get('Info'),
        ID: { kind: 'array', items: [first ?? trailer, trailer] },
        Prev: raw(String(this.#file.start)),
        ...more,
      },
    );
  }
}

interface FoundAnnotation {
  readonly value: PdfValue;
  readonly dictionary: PdfDictionary;
}

type Places = ReadonlyMap<number, { readonly offset: number; readonly generation: number }>;

/** Groups consecutive numbers, which form one part of the table. */
function cutRuns(places: Places): number[][] {
  const runs: number[][] = [];
  for (const number of [...places.keys()].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else runs.push([number]);
  }
  return runs;
}

function isSame(a: PdfValue, b: PdfValue): boolean {
  return a === b || (a.kind === 'ref' && b.kind === 'ref' && a.number === b.number);
}
