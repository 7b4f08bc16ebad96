import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './pdf.css';
import { h, render } from 'preact';
import type { PdfHostApi, PdfMark, PdfViewerApi } from '../../src/messages/viewer.ts';
import { connectHost } from '../shared/port.ts';
import { Button } from '../shared/toolkit.tsx';
import { listenForZoom } from './keys.ts';
import { isLocked, openDocument, reasonOf } from './open-document.ts';
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

async function open(): Promise<void> {
  const { view, mark } = await remote.call('ready', {});
  document.title = view.title;
  wanted ??= mark;
  const pdf = await openDocument(view, (wasWrong) => remote.call('password', { wasWrong }));
  remote.notify('opened', {});
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
  container.focus();
  if (wanted !== undefined) await opened.reveal(wanted);
  else if (restored !== undefined) await opened.reveal({ page: restored, rectangles: [] });
}

/** Opens the PDF, or says why it can't be; one that is protected can be tried again. */
async function tryToOpen(): Promise<void> {
  try {
    await open();
  } catch (error) {
    const problem = element(root, 'problem');
    const message = document.createElement('p');
    message.role = 'alert';
    message.textContent = reasonOf(error);
    problem.append(message);
    if (!isLocked(error)) return;
    const again = (): void => {
      problem.remove();
      void tryToOpen();
    };
    render(h(Button, { label: 'Type the Password', onPress: again }), element(problem, 'again'));
  }
}

await tryToOpen();
