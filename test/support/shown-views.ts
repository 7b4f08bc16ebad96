// Pages of the extension's views in a browser alone, with a host that says what a test gives it, to measure how they are drawn.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { JSHandle, Locator, Page } from '@playwright/test';
import { root } from './paths.mjs';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** What a view's host answers and tells: replies by the names of calls, and notifications behind the first call. */
interface ShownHost {
  readonly replies: Readonly<Record<string, unknown>>;
  readonly told: readonly { readonly method: string; readonly params: unknown }[];
}

/** Shows one of the pages that the build made in `dist/webview`. */
export async function showView(page: Page, view: string, host: ShownHost): Promise<void> {
  await page.route('http://localhost:1/**', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '')
      return route.fulfill({
        contentType: 'text/html',
        body: `<!DOCTYPE html><link rel="stylesheet" href="/${view}.css"><div id="root"></div><script type="module" src="/${view}.js"></script>`,
      });
    const body = readFileSync(join(root, 'dist', 'webview', name));
    return route.fulfill({ contentType: types[extname(name)] ?? 'application/octet-stream', body });
  });
  await page.addInitScript(({ replies, told }) => {
    let state: unknown;
    let isTold = false;
    const answer = (message: object): void => {
      setTimeout(() => {
        window.postMessage({ jsonrpc: '2.0', ...message });
      });
    };
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        getState: () => state,
        setState: (next: unknown) => (state = next),
        postMessage: ({ id, method }: { id?: number; method?: string }) => {
          if (id === undefined || method === undefined) return;
          answer({ id, result: { result: replies[method] } });
          if (isTold) return;
          isTold = true;
          for (const one of told) answer({ method: one.method, params: { params: one.params } });
        },
      }),
    });
  }, host);
  await page.goto('http://localhost:1/');
}

/** Of so many frames the work is measured. */
const MOST_WORKED = 15;
/**
 * A frame that is more work than this, in milliseconds, is measured again up to so many times, and the least counts:
 * what it takes each time is its own work, the rest is memory that was cleared away just then or a machine that was busy.
 */
const SUSPECT = 30;
const MEASURED_AGAIN = 4;

/** What frames took, in milliseconds: of the clock in the middle and at most, and of the processor's time of the page's thread. */
export interface Frames {
  readonly middle: number;
  readonly most: number;
  readonly mostWork: number;
}

/**
 * Does something before each of so many frames, and measures what each took until the next: by the clock, where a busy
 * machine counts, and then by the time that the page's thread had of the processor, where it does not.
 */
export async function measureFrames(
  area: Locator,
  count: number,
  deed: (element: Element, turn: number) => void,
): Promise<Frames> {
  const page = area.page();
  const step = (await page.evaluateHandle(`(${String(deed)})`)) as JSHandle<typeof deed>;
  const run = (from: number, to: number): Promise<number[]> =>
    area.evaluate(
      async (element, turns) => {
        const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
        const all: number[] = [];
        let last = await next();
        for (let turn = turns.from; turn < turns.to; turn++) {
          turns.step(element, turn);
          const now = await next();
          all.push(now - last);
          last = now;
        }
        return all;
      },
      { from, to, step },
    );
  const frames = (await run(0, count)).sort((one, other) => one - other);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  let mostWork = 0;
  for (let turn = 0; turn < MOST_WORKED; turn++) {
    let least = Infinity;
    for (let again = 0; again <= MEASURED_AGAIN && least > SUSPECT; again++) {
      const before = await worked();
      await run(turn, turn + 1);
      least = Math.min(least, (await worked()) - before);
    }
    mostWork = Math.max(mostWork, least);
  }
  await session.detach();
  return { middle: frames[Math.floor(count / 2)] ?? 0, most: frames.at(-1) ?? 0, mostWork };
}
