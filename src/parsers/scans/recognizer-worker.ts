import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveParentProcess } from '../../core/rpc/serve-process.ts';
import { readFileBytes } from '../read-file-bytes.ts';
import { contentHash } from '../content-hash.ts';
import { isPdf } from '../file-types.ts';
import { ignoreStrayRejections, setPdfResources } from '../pdf/engine.ts';
import { openPdf, type OpenPdf } from '../pdf/open.ts';
import { setPageRenderer } from './draw-page.ts';
import { pdfOfPictures } from './picture-pdf.ts';
import { emptyPage, recognizePage } from './recognize-page.ts';
import { RecognizedPages } from './recognized-pages.ts';
import {
  languagesKey,
  type Recognised,
  type RecognizeRequest,
  type RecognizerApi,
} from './recognizer-api.ts';
import { DamagedLanguageError, Tesseract, type LanguageFile } from './tesseract.ts';
import { setWebpDecoder } from './webp.ts';

const folder = dirname(fileURLToPath(import.meta.url));
setPdfResources(join(folder, 'pdfjs'));
setPageRenderer(join(folder, 'pdfium.wasm.br'));
setWebpDecoder(join(folder, 'pdfjs', 'wasm', 'webp_dec.wasm'));
ignoreStrayRejections();
/** Last opened file, because the next page usually belongs to the same one. */
let open: { readonly hash: string; readonly opened: OpenPdf } | undefined;
let tesseract: { readonly key: string; readonly loaded: Promise<Tesseract> } | undefined;
let store: { readonly path: string; readonly pages: Promise<RecognizedPages> } | undefined;

serveParentProcess<RecognizerApi>(
  {
    recognise,
    giveUp: async ({ hash, page, languages, store: path, problem }) => {
      const pages = await pagesIn(path);
      pages.put(`${hash}:${String(page)}`, languagesKey(languages), emptyPage(problem), hash, page);
    },
  },
  constants.priority.PRIORITY_LOW,
);

async function recognise(request: RecognizeRequest): Promise<Recognised> {
  const { hash, page: number, languages, store: path } = request;
  const pages = await pagesIn(path);
  const key = languagesKey(languages);
  if (pages.has(hash, number, key)) return { kind: 'kept' };
  if (!pages.claim(hash, number)) return { kind: 'taken' };
  try {
    const opened = await openDocument(request);
    if (opened === undefined) return { kind: 'changed' };
    const { bytes, pdf } = opened;
    const { password } = request;
    await recognizePage(
      { bytes, password, pdf, document: hash, number, languages: key },
      pages,
      async (picture) => (await loadTesseract(key, languages)).recognise(picture),
    );
    return { kind: 'kept' };
  } catch (error) {
    if (error instanceof DamagedLanguageError) return { kind: 'damaged-language', language: error.language };
    throw error;
  } finally {
    pages.release(hash, number);
  }
}

/** Opens the document; returns undefined if the file has changed. */
async function openDocument({
  content,
  name,
  password,
  hash,
}: RecognizeRequest): Promise<OpenPdf | undefined> {
  if (open?.hash === hash) return open.opened;
  const { bytes } = content.kind === 'bytes' ? content : await readFileBytes(content.path, name);
  if (contentHash(bytes) !== hash) return undefined;
  await open?.opened.task.destroy();
  open = undefined;
  const opened = await openPdf(isPdf(bytes) ? bytes : await pdfOfPictures(bytes, name), name, password);
  open = { hash, opened };
  return opened;
}

function loadTesseract(key: string, languages: readonly LanguageFile[]): Promise<Tesseract> {
  if (tesseract?.key !== key) {
    const loaded = Tesseract.load(join(folder, 'tesseract-core-simd-lstm.wasm.br'), languages);
    tesseract = { key, loaded };
    loaded.catch(() => {
      tesseract = undefined;
    });
  }
  return tesseract.loaded;
}

function pagesIn(path: string): Promise<RecognizedPages> {
  if (store?.path !== path) store = { path, pages: RecognizedPages.open(path) };
  return store.pages;
}
