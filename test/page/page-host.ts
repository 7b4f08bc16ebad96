// Shows a page of the extension in a browser without VS Code, and plays the extension's side of its RPC.
import 'vscode-jsonrpc/node';
import type { Page } from '@playwright/test';
import { webviewHtml, type WebviewPage } from '../../src/platform/webview-html.ts';
import type { CardsHostApi, CardsPageApi } from '../../src/features/flashcards/protocol.ts';
import type { TableHostApi, TablePageApi } from '../../src/features/tables/protocol.ts';
import type { HostApi, PanelApi } from '../../src/features/chat/protocol.ts';
import type { PlayerApi, PlayerHostApi } from '../../src/features/recordings/protocol.ts';
import type { ResearchHostApi, ResearchPanelApi } from '../../src/features/research/protocol.ts';
import { connect, type Api, type Client, type Handlers, type Params } from '../../src/core/rpc/rpc.ts';
import { changeOf, type Change } from '../../src/core/rpc/shared-state.ts';
import type { MapHostApi, MapPageApi } from '../../src/features/artifacts/protocol.ts';
import type {
  PdfHostApi,
  PdfViewerApi,
  SavedPageApi,
  SavedPageHostApi,
} from '../../src/features/pdf/protocol.ts';
import { address, ORIGIN, serveHtml } from './page-files.ts';
import { applyTheme, themeAttributes, themeCss, type ThemeName } from './themes.ts';

/** RPC between the extension and a page, as a test uses it. */
interface Sides<Host extends Api<Host>, PageApi extends Api<PageApi>> {
  readonly script: Partial<Handlers<Host>>;
  readonly remote: Client<PageApi>;
  readonly params: { readonly [M in keyof Host]: Params<Host[M]> };
}

interface SidesByPage {
  readonly flashcards: Sides<CardsHostApi, CardsPageApi>;
  readonly chat: Sides<HostApi, PanelApi>;
  readonly tables: Sides<TableHostApi, TablePageApi>;
  readonly page: Sides<SavedPageHostApi, SavedPageApi>;
  readonly pdf: Sides<PdfHostApi, PdfViewerApi>;
  readonly player: Sides<PlayerHostApi, PlayerApi>;
  readonly research: Sides<ResearchHostApi, ResearchPanelApi>;
  readonly maps: Sides<MapHostApi, MapPageApi>;
}

/** Replies of a test to requests of the page. A request without a reply fails the test. */
export type HostScript<V extends WebviewPage> = SidesByPage[V]['script'];

/** Replies of a test that also notify the page. */
export type NotifyingScript<V extends WebviewPage> = (remote: SidesByPage[V]['remote']) => HostScript<V>;

/** Page that shows a state and receives its changes. */
interface StatePage {
  readonly stateChanged: (params: { readonly change: Change }) => void;
}

/** Sends the change between two states to a page; without an earlier one, the whole state. */
export function sendChange<State>(
  remote: Pick<Client<StatePage>, 'notify'>,
  before: State | undefined,
  after: State,
): void {
  const change = changeOf(before, after);
  if (change !== undefined) remote.notify('stateChanged', { change });
}

/** Message from a page. */
interface SentMessage {
  readonly method: string;
  readonly params: unknown;
}

export interface ShownPage<V extends WebviewPage> {
  /** Extension's side of the RPC, which calls and notifies the page. */
  readonly remote: SidesByPage[V]['remote'];
  /** All requests and notifications of the page so far, in order. */
  readonly sent: readonly SentMessage[];
  /** Returns the parameters of each call of a method so far, in order. */
  readonly callsOf: <M extends keyof SidesByPage[V]['params'] & string>(
    method: M,
  ) => readonly SidesByPage[V]['params'][M][];
  /** Changes the theme of the page as the editor does. */
  setTheme(theme: ThemeName): Promise<void>;
  /** Returns what went wrong so far: errors of scripts, loads that the policy refused, and calls without an answer. */
  problems(): readonly string[];
}

/** Shows one of the pages in `dist/webview`, in a theme of VS Code. */
export async function showPage<V extends WebviewPage>(
  page: Page,
  view: V,
  replies: HostScript<V> | NotifyingScript<V>,
  { theme = 'dark', translation = {} }: { readonly theme?: ThemeName; readonly translation?: object } = {},
): Promise<ShownPage<V>> {
  const problems: string[] = [];
  const sent: SentMessage[] = [];
  let current = theme;
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    // pdf.js sets styles as attributes before it sets them as properties, which the policy refuses in the editor, too.
    if (message.type() === 'error' && !message.text().startsWith('Applying inline style'))
      problems.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && origin !== ORIGIN)
      problems.push(`The page asked for ${request.url()}.`);
  });

  const listeners: ((message: unknown) => void)[] = [];
  const later: Client<Procedures> = {
    call: (...request) => remote.call(...request),
    notify: (...notification) => remote.notify(...notification),
  };
  // The procedures exist, but the compiler can't know that, because `view` is a type parameter.
  const script =
    typeof replies === 'function' ? replies(later as unknown as SidesByPage[V]['remote']) : replies;
  const greeting = Promise.withResolvers<undefined>();
  await page.exposeBinding('sendToHost', (_, message: unknown) => {
    greeting.resolve(undefined);
    if (isRequest(message)) {
      sent.push({ method: message.method, params: message.params.params });
      if (message.id !== undefined && !(message.method in script))
        problems.push(`The page called ${message.method}, which the test doesn't answer.`);
    }
    for (const listener of listeners) listener(message);
  });
  await page.addInitScript(playEditor);
  const { remote } = connect<Procedures, Procedures>(
    {
      postMessage(message) {
        // As in the editor, a page that is closed or reloading gets no messages.
        page.evaluate((data) => window.postMessage(data), message).catch(() => undefined);
      },
      onMessage: (listener) => listeners.push(listener),
      onClose: (listener) => page.once('close', listener),
    },
    script,
  );
  await page.goto(serveHtml(html));
  // A page that hasn't requested its state yet would miss messages, so wait for that request.
  await greeting.promise;
  await page.evaluate(() => undefined);

  function html(): string {
    const text = webviewHtml(view, {
      cspSource: ORIGIN,
      nonce: 'of-this-test',
      language: 'en',
      translation,
      address: (file) => address(`dist/webview/${file}`),
    });
    // VS Code adds its variables and its own style sheet to each page.
    const surface = view === 'chat' ? 'sideBar' : 'editor';
    return text
      .replace('<head>', `<head><style nonce="of-this-test">${themeCss(current, surface)}</style>`)
      .replace('<body>', `<body ${themeAttributes(current)}>`);
  }

  return {
    remote: remote as unknown as SidesByPage[V]['remote'],
    sent,
    callsOf: (method) => sent.filter((one) => one.method === method).map(({ params }) => params) as never,
    async setTheme(next) {
      current = next;
      await applyTheme(page, next);
    },
    problems: () => problems,
  };
}

/** Procedures of either side. */
type Procedures = Readonly<Record<string, (params: never) => unknown>>;

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly params: unknown };
}

function isRequest(message: unknown): message is Request {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    !String(message.method).startsWith('$')
  );
}

/** Runs in the page: hands out the editor's side once, and keeps the page's state over a reload, as the editor does. */
function playEditor(): void {
  const key = 'state of the page';
  const { sendToHost } = window as unknown as { sendToHost: (message: unknown) => Promise<void> };
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      getState: () => (JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown) ?? undefined,
      setState(state: unknown) {
        sessionStorage.setItem(key, JSON.stringify(state));
        return state;
      },
      postMessage: (message: unknown) => void sendToHost(message),
    }),
  });
}
