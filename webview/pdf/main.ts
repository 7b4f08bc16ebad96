import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './pdf.css';
import './viewer.css';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { h, render } from 'preact';
import { t } from '@vscode/l10n';
import type { PdfHostApi, PdfMarks, PdfViewerApi } from '../../src/features/pdf/protocol.ts';
import { connectHost } from '../shared/port.ts';
import { Button } from '../shared/toolkit.tsx';
import { DeferredShortcuts, holdKeys } from './deferred-shortcuts.ts';
import { isLocked, openDocument, failureReason } from '../figure/open-document.ts';
import type { PdfPages } from './pdf-pages.ts';
import { withRecognizedText } from './recognized-text.ts';
import { element, showPdf, type StoredView, type ShownPdf } from './viewer.ts';

const root = document.querySelector('#root') ?? document.body;
let shownPdf: ShownPdf | undefined;
let pendingMarks: PdfMarks | undefined;

const { remote, memory } = connectHost<PdfViewerApi, PdfHostApi, StoredView>({
  async reveal(marks) {
    pendingMarks = marks;
    await shownPdf?.pages.reveal(marks);
  },
  selection: () => shownPdf?.selection() ?? { text: '', pages: '', runs: [], labels: {} },
  async addListed() {
    await shownPdf?.addListed();
  },
  async flush() {
    shownPdf?.flush();
    await deferredShortcuts.settled;
  },
  annotations(changed) {
    shownPdf?.pages.annotations.take(changed);
  },
  filled(changed) {
    shownPdf?.pages.fields.take(changed);
  },
});

const deferredShortcuts = new DeferredShortcuts((command) => remote.call('run', { command }));
holdKeys(deferredShortcuts, () => shownPdf?.flush());

async function open(): Promise<void> {
  const { view, recognised, marks, inverted, annotations, filled, position } = await remote.call('ready', {});
  document.title = view.title;
  pendingMarks ??= marks;
  const pdf = await openDocument(view, {
    read: (begin, end) => remote.call('bytes', { begin, end }),
    askForPassword: (wasWrong) => remote.call('password', { wasWrong }),
    onLost: problemElement,
  });
  remote.notify('opened', {});
  withRecognizedText(pdf, recognised, (page) => remote.call('recognizedWords', { page }));
  const savedPosition = memory.recall() ?? position;
  shownPdf = showPdf(root, pdf, {
    title: view.title,
    isInverted: inverted,
    savedView: savedPosition,
    onKeep(changed) {
      memory.keep(changed);
    },
    onInverted(changed) {
      remote.notify('setInverted', { inverted: changed });
    },
    onRun(command) {
      remote.notify('run', { command });
    },
    onPosition(changed) {
      remote.notify('keepPosition', changed);
    },
    onMarked(marked) {
      marked.then((items) => remote.notify('addMarked', { marked: items }), problemElement);
    },
    onEdit(edit) {
      deferredShortcuts.wait(remote.call('edit', edit));
    },
    onFillIn(edit) {
      deferredShortcuts.wait(remote.call('fillIn', edit));
    },
  });
  const { pages } = shownPdf;
  pages.annotations.take(annotations);
  pages.fields.take(filled);
  void showForm(pdf, pages);
  if (pendingMarks !== undefined) await pages.reveal(pendingMarks);
  else if (savedPosition !== undefined) await pages.restore(savedPosition);
}

/** Enables the form, or shows the reason why it can't be filled in. */
async function showForm(pdf: PDFDocumentProxy, { fields }: PdfPages): Promise<void> {
  const { info } = await pdf.getMetadata();
  const hasXfa = 'IsXFAPresent' in info && info.IsXFAPresent === true;
  const count = await fields.load();
  if (count === 0) {
    if (hasXfa) showFormMessage(t('Can’t fill in this form. XFA forms require Adobe Reader.'));
    return;
  }
  const problem = await remote.call('formProblem', {});
  if (problem === undefined) return;
  if (problem.isLocked) fields.lock();
  showFormMessage(problem.message);
}

/** Shows above the pages why the form can't be filled in. */
function showFormMessage(message: string): void {
  const notice = document.createElement('p');
  notice.className = 'form-notice';
  notice.role = 'status';
  notice.textContent = message;
  root.querySelector('.body')?.before(notice);
}

/** Opens the PDF, or shows why it can't be opened. The user can try an encrypted PDF again. */
async function tryToOpen(): Promise<void> {
  try {
    await open();
  } catch (error) {
    const problem = problemElement(error);
    if (!isLocked(error)) return;
    const again = (): void => {
      problem.remove();
      void tryToOpen();
    };
    render(h(Button, { label: t('Enter Password'), onPress: again }), element(problem, 'again'));
  }
}

/** Shows why the PDF can't be displayed, in place of an earlier problem. */
function problemElement(error: unknown): HTMLElement {
  root.querySelector('.problem')?.remove();
  const problem = element(root, 'problem');
  root.prepend(problem);
  const message = document.createElement('p');
  message.role = 'alert';
  message.textContent = failureReason(error);
  problem.append(message);
  return problem;
}

await tryToOpen();
