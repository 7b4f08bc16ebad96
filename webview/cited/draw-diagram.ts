import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { pageNonce } from '../shared/nonce.ts';
import { diagramResult, type DiagramOrder, type DiagramResult } from '../shared/diagram-messages.ts';

/** Timeout for drawing a diagram, in milliseconds. */
const DRAW_TIMEOUT_MS = 10_000;

/**
 * Draws a Mermaid diagram in an isolated frame, which has its own origin and the policy of this page. Removes the frame
 * after its reply.
 * @param program script of the frame
 * @returns the address of the picture, or one sentence with the reason for the failure
 */
export async function drawDiagram(
  program: string,
  source: string,
): Promise<{ readonly url: string } | { readonly problem: string }> {
  const { classList } = document.body;
  const isDark = classList.contains('vscode-dark') || classList.contains('vscode-high-contrast');
  const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  const result = await runFramed(program, {
    source,
    isDark: isDark && !isLight,
    fontFamily: getComputedStyle(document.body).fontFamily,
    nonce: pageNonce() ?? '',
  });
  if ('problem' in result) return { problem: t('Can’t draw this diagram: {0}', firstLine(result.problem)) };
  return { url: `data:image/svg+xml,${encodeURIComponent(result.svg)}` };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return /[.!?]$/.test(line) ? line : `${line.replace(/[:;,]$/, '')}.`;
}

function runFramed(program: string, order: DiagramOrder): Promise<DiagramResult> {
  const frame = document.createElement('iframe');
  frame.className = 'diagram-frame';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.srcdoc = `<!doctype html><body><script nonce="${order.nonce}">${program}</script></body>`;
  return new Promise<DiagramResult>((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === frame.contentWindow && v.is(diagramResult, data)) end(data);
    };
    const end = (result: DiagramResult): void => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      frame.remove();
      resolve(result);
    };
    const timer = setTimeout(() => {
      end({ problem: t('drawing takes too long') });
    }, DRAW_TIMEOUT_MS);
    window.addEventListener('message', onMessage);
    frame.addEventListener('load', () => frame.contentWindow?.postMessage(order, '*'));
    document.body.append(frame);
  });
}
