import type { PdfAnnotations, PdfHostApi } from '../../src/messages/viewer.ts';
import type { Params } from '../../src/messages/rpc.ts';
import { address, type HostScript } from './page-host.ts';

/** What the viewer is told as it opens a PDF, beside the file. */
type OpenedWith = Partial<Omit<ReturnType<PdfHostApi['ready']>, 'view'>>;

const NO_ANNOTATIONS: PdfAnnotations = { wanted: [], refs: {} };

/** Answers the PDF viewer as the extension does for a file of these bytes, which is sent whole. */
export function pdfHost(bytes: Uint8Array, opened: OpenedWith = {}): HostScript<'pdf'> {
  return {
    ready: () => ({
      view: {
        title: 'report.pdf',
        length: bytes.length,
        start: bytes,
        workerUrl: address('dist/pdfjs/pdf.worker.min.mjs'),
        characterMapsUrl: address('dist/pdfjs/cmaps/'),
        standardFontsUrl: address('dist/pdfjs/standard_fonts/'),
        wasmUrl: address('dist/pdfjs/wasm/'),
      },
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
    edit: () => undefined,
    fillIn: () => undefined,
    keepPosition: () => undefined,
    run: () => undefined,
  };
}
