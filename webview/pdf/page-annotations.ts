import { pageIndexOf, type PageNumber } from '../../src/core/domain/page-number.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { EventBus, PDFPageView, PDFViewer } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { t } from '@vscode/l10n';
import type { PdfAnnotations } from '../../src/features/pdf/protocol.ts';
import {
  isOthers,
  quadRectangle,
  type Annotation,
  type AnnotationEdit,
  type AnnotationKind,
} from '../../src/core/domain/annotation.ts';
import { annotationsOn, type FileAnnotation } from '../../src/core/domain/read-annotations.ts';
import {
  annotationAt,
  annotationsShown,
  type AnnotationsShown,
  type ShownAnnotation,
} from './annotation-list.ts';
import { markPlace } from './mark-places.ts';
import { placeAt } from './page-marks.ts';

/** Callbacks for the annotation that the reader selected. */
export interface AnnotationListener {
  /** Called when the annotations change. */
  onAnnotations(): void;
  onEdit(edit: AnnotationEdit): void;
  onPick(picked: ShownAnnotation, place: DOMRect): void;
}

/** Annotations on the pages of a PDF: those of the file, which pdf.js draws, and changed ones. */
export class PageAnnotations {
  readonly #container: HTMLElement;
  readonly #pdf: PDFDocumentProxy;
  readonly #viewer: PDFViewer;
  readonly #listener: AnnotationListener;
  readonly #file = new Map<number, Promise<readonly FileAnnotation[]>>();
  #known: FileAnnotation[] = [];
  #changed: PdfAnnotations = { current: [], refs: {} };
  #now: AnnotationsShown = { shown: [], hidden: new Set() };

  constructor(
    container: HTMLElement,
    pdf: PDFDocumentProxy,
    viewer: PDFViewer,
    eventBus: EventBus,
    listener: AnnotationListener,
  ) {
    this.#container = container;
    this.#pdf = pdf;
    this.#viewer = viewer;
    this.#listener = listener;
    // IDs that the library leaves out of its pictures of pages, as for annotations that its own editor has changed.
    Object.defineProperty(pdf.annotationStorage, 'modifiedIds', {
      get: () => ({ ids: this.#now.hidden, hash: [...this.#now.hidden].join(',') }),
    });
    eventBus.on('pagerendered', ({ pageNumber }: { readonly pageNumber: number }) => {
      void this.#load(pageNumber);
      this.#drawPage(pageNumber);
    });
    container.addEventListener('click', (event) => {
      if (document.getSelection()?.isCollapsed === false) return;
      const picked = this.#at(event);
      if (picked !== undefined) this.pick(picked.key);
    });
  }

  /** Annotations as shown now. */
  get shown(): readonly ShownAnnotation[] {
    return this.#now.shown;
  }

  /** Finds an annotation by its key. */
  find(key: string): ShownAnnotation | undefined {
    return this.shown.find((candidate) => candidate.key === key);
  }

  /** Applies changes that differ from the file. */
  take(changed: PdfAnnotations): void {
    this.#changed = changed;
    this.#update();
  }

  /** Reads the annotations of all pages until the signal aborts. */
  async loadAll(signal: AbortSignal): Promise<void> {
    for (let page = 1; page <= this.#pdf.numPages && !signal.aborted; page++) await this.#load(page);
  }

  /** Adds an annotation and returns its key. */
  add(annotation: Annotation): string {
    const key = crypto.randomUUID();
    this.edit({ key, before: null, after: annotation });
    return key;
  }

  /** Changes an annotation, unless only the program that made it should. */
  change(
    { key, annotation }: ShownAnnotation,
    changes: Partial<Pick<Annotation, 'colour' | 'remark'>>,
  ): void {
    if (!isOthers(annotation.kind))
      this.edit({ key, before: annotation, after: { ...annotation, ...changes } });
  }

  /** Removes an annotation, if it is of a kind that can be created here. */
  remove({ key, annotation }: ShownAnnotation): void {
    if (!isOthers(annotation.kind)) this.edit({ key, before: annotation, after: null });
  }

  /** Applies an edit and reports it. */
  edit(edit: AnnotationEdit): void {
    const others = this.#changed.current.filter(([key]) => key !== edit.key);
    this.#changed = { ...this.#changed, current: [...others, [edit.key, edit.after]] };
    this.#update();
    this.#listener.onEdit(edit);
  }

  /** Opens the actions for a visible annotation. */
  pick(key: string): void {
    const shown = this.find(key);
    const place = this.firstLinePlace(key);
    if (shown !== undefined && place !== undefined) this.#listener.onPick(shown, place);
  }

  /** Returns the position of an annotation's first line in the window. */
  firstLinePlace(key: string): DOMRect | undefined {
    return this.#findElement(key)?.querySelector('div')?.getBoundingClientRect();
  }

  /** Focuses an annotation. */
  focus(key: string): void {
    this.#findElement(key)?.focus({ preventScroll: true });
  }

  #findElement(key: string): HTMLElement | undefined {
    return [...this.#container.querySelectorAll<HTMLElement>('.annotation')].find(
      (box) => box.dataset['key'] === key,
    );
  }

  #at({ target, clientX, clientY }: MouseEvent): ShownAnnotation | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('.page') : null;
    const page = Number(element?.dataset['pageNumber']);
    const view = this.#view(page);
    if (element === null || view === undefined) return undefined;
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = view.viewport.convertToPdfPoint(clientX - left, clientY - top).map(Number);
    return annotationAt(this.shown, page, x ?? 0, y ?? 0);
  }

  async #load(page: PageNumber): Promise<void> {
    const started = this.#file.get(page);
    if (started !== undefined) {
      await started;
      return;
    }
    const reading = this.#read(page);
    this.#file.set(page, reading);
    const fileAnnotations = await reading;
    if (fileAnnotations.length === 0) return;
    this.#known = [...this.#known, ...fileAnnotations];
    this.#update();
  }

  async #read(page: PageNumber): Promise<readonly FileAnnotation[]> {
    try {
      return annotationsOn(page, await (await this.#pdf.getPage(page)).getAnnotations());
    } catch {
      // A damaged page has no fields.
      return [];
    }
  }

  #update(): void {
    const before = this.#now;
    this.#now = annotationsShown(this.#known, this.#changed.current, this.#changed.refs);
    const ids = [...before.hidden, ...this.#now.hidden];
    const redrawn = ids.filter((id) => before.hidden.has(id) !== this.#now.hidden.has(id));
    const pages = new Set(
      this.#known.flatMap(({ ref, annotation }) => (redrawn.includes(ref) ? [annotation.page] : [])),
    );
    for (const page of pages)
      this.#view(page)?.reset({ keepAnnotationLayer: true, keepTextLayer: true, keepCanvasWrapper: true });
    if (pages.size > 0) this.#viewer.update();
    for (const { annotation } of [...before.shown, ...this.#now.shown]) pages.add(annotation.page);
    for (const page of pages) this.#drawPage(page);
    this.#listener.onAnnotations();
  }

  #drawPage(page: PageNumber): void {
    const view = this.#view(page);
    if (!view?.div.querySelector('canvas')) return;
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset['key'] : undefined;
    for (const old of view.div.querySelectorAll('.annotation')) old.remove();
    for (const annotation of this.shown)
      if (annotation.annotation.page === page) view.div.append(this.#element(annotation, view));
    if (focused !== undefined && !document.body.contains(document.activeElement)) this.focus(focused);
  }

  #element(shown: ShownAnnotation, view: PDFPageView): HTMLElement {
    const { key, annotation, isDrawn } = shown;
    const element = document.createElement('button');
    element.type = 'button';
    element.className = `annotation ${annotation.kind}${isDrawn ? ' drawn' : ''}`;
    element.dataset['key'] = key;
    element.ariaLabel = describeAnnotation(annotation);
    element.style.setProperty('--colour', annotation.colour);
    for (const quad of annotation.quads) {
      const part = document.createElement('div');
      placeAt(part, markPlace(quadRectangle(quad, annotation.page), view.viewport));
      element.append(part);
    }
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      this.pick(key);
    });
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Delete' && event.key !== 'Backspace') return;
      event.preventDefault();
      event.stopPropagation();
      this.remove(shown);
      this.#container.focus();
    });
    return element;
  }

  #view(page: PageNumber): PDFPageView | undefined {
    return Number.isInteger(page)
      ? (this.#viewer.getPageView(pageIndexOf(page)) as PDFPageView | undefined)
      : undefined;
  }
}

/** Describes an annotation: its kind, its words, and its comment. */
function describeAnnotation({ kind, words, remark }: Annotation): string {
  return [words === '' ? kindLabel(kind) : t('{0}: {1}', kindLabel(kind), words), remark]
    .filter((part) => part !== '')
    .join('. ');
}

/** Returns the name of a kind. */
export function kindLabel(kind: AnnotationKind): string {
  switch (kind) {
    case 'highlight':
      return t('Highlight');
    case 'underline':
      return t('Underline');
    case 'strikeout':
      return t('Strikethrough');
    case 'squiggly':
      return t('Wavy underline');
    case 'box':
      return t('Box');
    case 'note':
      return t('Comment');
    case 'text':
      return t('Text');
    case 'drawing':
      return t('Drawing');
  }
}
