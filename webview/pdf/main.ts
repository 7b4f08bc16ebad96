import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './pdf.css';
import './viewer.css';
import { h, render } from 'preact';
import { t } from '@vscode/l10n';
import type { PdfHostApi, PdfMarks, PdfViewerApi } from '../../src/messages/viewer.ts';
import { connectHost } from '../shared/port.ts';
import { Button } from '../shared/toolkit.tsx';
import { isLocked, openDocument, reasonOf } from './open-document.ts';
import type { PdfPages } from './pdf-pages.ts';
import type { KeptView } from './viewer.ts';
import { element, showPdf } from './viewer.ts';

const root = document.querySelector('#root') ?? document.body;
let pages: PdfPages | undefined;
let wanted: PdfMarks | undefined;

const { remote, memory } = connectHost<PdfViewerApi, PdfHostApi, KeptView>({
  async reveal(marks) {
    wanted = marks;
    await pages?.reveal(marks);
    return null;
  },
  selection: () => pages?.selection ?? { text: '', pages: '' },
});

async function open(): Promise<void> {
  const { view, marks, inverted } = await remote.call('ready', {});
  document.title = view.title;
  wanted ??= marks;
  const pdf = await openDocument(view, (wasWrong) => remote.call('password', { wasWrong }));
  remote.notify('opened', {});
  const kept = memory.recall();
  pages = showPdf(root, pdf, {
    title: view.title,
    isInverted: inverted,
    kept,
    onKeep(changed) {
      memory.keep(changed);
    },
    onInverted(changed) {
      remote.notify('setInverted', { inverted: changed });
    },
    onRun(command) {
      remote.notify('run', { command });
    },
  });
  if (wanted !== undefined) await pages.reveal(wanted);
  else if (kept !== undefined) await pages.show(kept.page);
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
    render(h(Button, { label: t('Type the Password'), onPress: again }), element(problem, 'again'));
  }
}

await tryToOpen();
