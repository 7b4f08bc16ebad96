import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { t } from '@vscode/l10n';
import { serveParentProcess } from '../core/rpc/serve-process.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError, throwIfCanceled } from '../core/domain/errors.ts';
import type { ReaderApi, ReadRequest, ReadResult } from './api.ts';
import { readFileBytes, readFileStart } from './read-file-bytes.ts';
import { cutRecording, planRecording } from './recordings/cut-recording.ts';
import { hashRecording } from './recordings/hash-recording.ts';
import { describeRecording } from './recordings/open-recording.ts';
import { listSpeakers, readRecording } from './recordings/read-recording.ts';
import { withPageTranscript } from './recordings/page-transcript.ts';
import { recordingType } from './recordings/recording-type.ts';
import { setGrammarResources } from './code/grammars.ts';
import { contentHash } from './content-hash.ts';
import { pictureIn } from './file-pictures.ts';
import { decodeHtml } from './html.ts';
import { readKnowledge } from './knowledge-base.ts';
import { ignoreStrayRejections, setPdfResources } from './pdf/engine.ts';
import { withFileBytes } from './pdf/saving/open-bytes.ts';
import { savableAnnotations } from './pdf/saving/save-annotations.ts';
import { savePdf } from './pdf/saving/save-pdf.ts';
import { readDocument, type ReadContext } from './registry.ts';
import { pdfOfPictures } from './scans/picture-pdf.ts';
import { readRecognized } from './scans/recognized-pages.ts';
import { setWebpDecoder } from './scans/webp.ts';
import { readSitePage } from './sites/read-site-page.ts';
import { readSiteList } from './sites/site-lists.ts';
import { findPageCaptions } from './web/page-captions.ts';
import { explainPage } from './web/extract-page.ts';

const folder = dirname(fileURLToPath(import.meta.url));
setPdfResources(join(folder, 'pdfjs'));
setGrammarResources(join(folder, 'grammars'));
setWebpDecoder(join(folder, 'pdfjs', 'wasm', 'webp_dec.wasm'));
ignoreStrayRejections();
goFirst();

serveParentProcess<ReaderApi>({
  read,
  readPicture: async ({ content, name, mediaType, picture }) => {
    const bytes = content.kind === 'bytes' ? content.bytes : (await readFileBytes(content.path, name)).bytes;
    return pictureIn(bytes, name, mediaType, picture);
  },
  readKnowledge: async ({ content, name, minimumLength }) => {
    if (content.kind === 'bytes') return readKnowledge(content.bytes, name, minimumLength);
    const { bytes, byteLength } = await readFileBytes(content.path, name);
    if (bytes.length < byteLength)
      throw new NotebookError(
        'too-large',
        t('{0} is too large to import. Split it into smaller files.', name),
      );
    return readKnowledge(bytes, name, minimumLength);
  },
  pdfOfPicture: async ({ content, name }) => {
    const { bytes } = content.kind === 'bytes' ? content : await readFileBytes(content.path, name);
    return pdfOfPictures(bytes, name);
  },
  findPageCaptions: ({ content, name, url }) =>
    withFileBytes(content, name, (bytes) => findPageCaptions(decodeHtml(bytes.read(0, bytes.length)), url)),
  explainPage: ({ content, name, url }) =>
    withFileBytes(content, name, (bytes) => explainPage(decodeHtml(bytes.read(0, bytes.length)), url)),
  savableAnnotations: ({ content, name }) => withFileBytes(content, name, savableAnnotations),
  saveAnnotations: savePdf,
  describeRecording: ({ content, name }) => describeRecording(content, name),
  hashRecording: ({ content, name }, { signal }) => hashRecording(content, name, signal),
  listSpeakers: (request, { signal }) => listSpeakers(request, signal),
  planRecording: (file, { signal }) => planRecording(file, signal),
  cutRecording: ({ part, ...file }, { signal }) => cutRecording(file, part, signal),
  readSitePage,
  readSiteList,
});

/** Makes the system end a reader before the editor if memory runs out. */
function goFirst(): void {
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Reading also works without this.
  }
}

async function read(request: ReadRequest, context: ReadContext): Promise<ReadResult> {
  const {
    content,
    name,
    mediaType,
    pageUrl,
    knownHash,
    minimumLength,
    password,
    recognition,
    storedAnnotations,
  } = request;
  // Recordings may be larger than the memory, so only the parts that are needed are read.
  const start = content.kind === 'bytes' ? content.bytes : await readFileStart(content.path, name);
  if (pageUrl === undefined && recordingType(name, start) !== undefined)
    return readRecording(request, context);
  const { bytes, byteLength } =
    content.kind === 'bytes'
      ? { bytes: content.bytes, byteLength: content.bytes.length }
      : await readFileBytes(content.path, name);
  throwIfCanceled(context.signal);
  const { video } = request;
  const hash = contentHash(video === undefined ? bytes : Buffer.concat([bytes, video.text]));
  if (hash === knownHash) return { kind: 'unchanged' };
  const readItself = async (): Promise<ReadDocument> =>
    await readDocument(
      {
        bytes,
        byteLength,
        name,
        mediaType,
        pageUrl,
        minimumLength,
        password,
        storedAnnotations,
        ...(recognition && {
          recognised: () => readRecognized(recognition.store, hash, recognition.languages),
        }),
      },
      context,
    );
  const document = video === undefined ? await readItself() : await withPageTranscript(readItself, video);
  return { kind: 'read', hash, document };
}
