// Reads PDFs for tests and benches in a thread that can be ended when one hangs.
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { loadPdf, ignoreStrayRejections, setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import type { PdfTask, WorkerNews } from './watched-pdf-reader.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));
ignoreStrayRejections();

const postNews = (news: WorkerNews): void => {
  parentPort?.postMessage(news);
};

parentPort?.on('message', (task: PdfTask) => {
  void (task.kind === 'read' ? read(task) : getTextContent(task));
});

async function read({ bytes, name, password }: PdfTask): Promise<void> {
  const began = performance.now();
  try {
    const { text, map, headings, warnings, title, format } = await readDocument(
      { bytes, name, minimumLength: 1, password },
      {
        report: () => {
          postNews({ kind: 'progress' });
        },
      },
    );
    const ms = performance.now() - began;
    postNews({ kind: 'read', document: { text, map, headings, warnings, title, format }, ms });
  } catch (error) {
    const code = error instanceof NotebookError ? error.code : undefined;
    const message = error instanceof NotebookError ? error.message : String((error as Error).stack);
    postNews({ kind: 'refused', code, message });
  }
}

/** Opens a PDF and reads the text of its pages with pdf.js alone, without processing it. */
async function getTextContent({ bytes }: PdfTask): Promise<void> {
  const began = performance.now();
  try {
    const task = await loadPdf(bytes);
    const pdf = await task.promise;
    const openMs = performance.now() - began;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      await page.getTextContent().catch(() => undefined);
      page.cleanup();
      postNews({ kind: 'progress' });
    }
    // Reading a document includes closing its file.
    await task.destroy();
    postNews({ kind: 'raw', openMs, ms: performance.now() - began });
  } catch (error) {
    postNews({ kind: 'refused', code: undefined, message: String(error) });
  }
}
