import { AnnotationStates } from '../../src/features/pdf/model/annotation-states.ts';
import { FormStates } from '../../src/core/domain/form-states.ts';
import type { PdfView } from '../../src/core/rpc/figure.ts';
import type { PdfAnnotations, PdfHostApi } from '../../src/features/pdf/protocol.ts';
import type { Params } from '../../src/core/rpc/rpc.ts';
import { address } from './page-files.ts';
import type { HostScript, ShownPage } from './page-host.ts';

/** State that the viewer gets when it opens a PDF, in addition to the file. */
type OpenedWith = Partial<Omit<ReturnType<PdfHostApi['ready']>, 'view'>>;

const NO_ANNOTATIONS: PdfAnnotations = { current: [], refs: {} };

/** Returns a PDF as the extension hands it to a page, with its first bytes. */
export function pdfView(bytes: Uint8Array, startBytes = bytes.length): PdfView {
  return {
    title: 'report.pdf',
    length: bytes.length,
    start: bytes.slice(0, startBytes),
    workerUrl: address('dist/pdfjs/pdf.worker.min.mjs'),
    characterMapsUrl: address('dist/pdfjs/cmaps/'),
    standardFontsUrl: address('dist/pdfjs/standard_fonts/'),
    wasmUrl: address('dist/pdfjs/wasm/'),
  };
}

/**
 * Answers the PDF viewer as the extension does for a file of these bytes.
 * @param startBytes the number of bytes that are sent at once; the viewer asks for the others
 */
export function pdfHost(
  bytes: Uint8Array,
  opened: OpenedWith = {},
  startBytes = bytes.length,
): HostScript<'pdf'> {
  return {
    ready: () => ({
      view: pdfView(bytes, startBytes),
      recognised: [],
      marks: undefined,
      inverted: false,
      annotations: NO_ANNOTATIONS,
      filled: [],
      position: undefined,
      ...opened,
    }),
    bytes: ({ begin, end }: Params<PdfHostApi['bytes']>) => bytes.slice(begin, end),
    formProblem: () => undefined,
    opened: () => undefined,
    edit: () => undefined,
    fillIn: () => undefined,
    setInverted: () => undefined,
    addMarked: () => undefined,
    keepPosition: () => undefined,
    run: () => undefined,
  };
}

/** Annotations and filled-in fields of a PDF. The test undoes and redoes them in place of the editor. */
export class EditedPdf {
  readonly annotations = new AnnotationStates();
  readonly form = new FormStates();
  readonly script: HostScript<'pdf'>;
  readonly #edits: { readonly apply: () => void; readonly undo: () => void }[] = [];
  #undone = 0;

  constructor(bytes: Uint8Array) {
    this.script = {
      ...pdfHost(bytes),
      edit: (edit) => {
        this.#edit({ apply: () => this.annotations.apply(edit), undo: () => this.annotations.undo(edit) });
      },
      fillIn: (edit) => {
        this.#edit({ apply: () => this.form.apply(edit), undo: () => this.form.undo(edit) });
      },
    };
  }

  /** Takes the last edit back, as the editor does. */
  undo(shown: ShownPage<'pdf'>): void {
    this.#edits.at(-1 - this.#undone++)?.undo();
    this.#notify(shown);
  }

  /** Does the edit again that was undone last. */
  redo(shown: ShownPage<'pdf'>): void {
    this.#edits.at(-this.#undone--)?.apply();
    this.#notify(shown);
  }

  #edit(edit: { readonly apply: () => void; readonly undo: () => void }): void {
    this.#edits.splice(this.#edits.length - this.#undone, this.#undone, edit);
    this.#undone = 0;
    edit.apply();
  }

  #notify({ remote }: ShownPage<'pdf'>): void {
    const { current, refs } = this.annotations;
    remote.notify('annotations', { current, refs });
    remote.notify('filled', this.form.current);
  }
}
