import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './pdf.css';
import { h, render } from 'preact';
import type { PdfHostApi, PdfMark, PdfViewerApi } from '../../src/messages/viewer.ts';
import { connectHost } from '../shared/port.ts';
import { listenForZoom } from './keys.ts';
import { openDocument, reasonOf } from './open-document.ts';
import type { Place } from './pdf-pages.ts';
import { PdfPages } from './pdf-pages.ts';
import { Toolbar } from './toolbar.tsx';

const root = document.querySelector('#root') ?? document.body;
let pages: PdfPages | undefined;
let wanted: PdfMark | undefined;

const { remote, memory } = connectHost<PdfViewerApi, PdfHostApi, { readonly page: number }>({
  async reveal(mark) {
    wanted = mark;
    await pages?.reveal(mark);
    return null;
  },
});

function element(parent: Element, className: string): HTMLDivElement {
  const child = document.createElement('div');
  child.className = className;
  parent.append(child);
  return child;
}

try {
  const { view, mark } = await remote.call('ready', {});
  document.title = view.title;
  const pdf = await openDocument(view);
  const restored = memory.recall()?.page;
  const bar = element(root, 'bar');
  const frame = element(root, 'frame');
  const container = element(frame, 'container');
  container.tabIndex = 0;
  container.role = 'document';
  container.ariaLabel = view.title;
  element(container, 'pdfViewer');
  // Links lead to places within the PDF alone; the editor is not to follow them.
  container.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) event.stopPropagation();
  });

  const show = (place: Place): void => {
    if (pages === undefined) return;
    memory.keep({ page: place.page });
    render(h(Toolbar, { pages, place }), bar);
  };
  const opened = new PdfPages(container, pdf, show);
  pages = opened;
  listenForZoom(container, opened);
  wanted ??= mark;
  container.focus();
  if (wanted !== undefined) await opened.reveal(wanted);
  else if (restored !== undefined) await opened.reveal({ page: restored, rectangles: [] });
} catch (error) {
  const message = element(root, 'problem');
  message.role = 'alert';
  message.textContent = reasonOf(error);
}
