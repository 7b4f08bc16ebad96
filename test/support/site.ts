// A real web site on loopback, with all that a crawler meets.
import type { TestContext } from 'node:test';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Gate } from './gate.ts';
import { startLoopbackServer, type LoopbackServer, type RecordedRequest } from './loopback-server.ts';

/** Response of a page. */
export interface Answer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Waits here before it answers. */
  readonly gate?: Gate;
  /** Announces this many bytes more than it sends, and then breaks the connection. */
  readonly missing?: number;
}

/** A page: its HTML, a full response, `never`, or a function of the request and of the number of earlier ones. */
export type SitePage =
  | string
  | Answer
  | typeof never
  | ((request: RecordedRequest, before: number) => string | Answer | typeof never);

/** Accepts the request and never answers. */
export const never = Symbol('never');

/** The running site. */
export interface Site extends LoopbackServer {
  /** Adds or replaces pages by path, such as `/docs/`. Other paths return 404. */
  set(pages: Readonly<Record<string, SitePage>>): void;
  /** Paths requested so far, in order. */
  readonly paths: readonly string[];
}

/** Starts a site. */
export async function startSite(pages: Readonly<Record<string, SitePage>> = {}): Promise<Site> {
  const all = new Map(Object.entries(pages));
  const counts = new Map<string, number>();
  const server = await startLoopbackServer(async (request, response) => {
    const before = counts.get(request.path) ?? 0;
    counts.set(request.path, before + 1);
    const page = all.get(request.path) ?? all.get(request.path.replace(/\?.*/s, '')) ?? status(404);
    const pageAnswer = typeof page === 'function' ? page(request, before) : page;
    if (pageAnswer === never) return;
    const answer: Answer = typeof pageAnswer === 'string' ? { body: pageAnswer } : pageAnswer;
    await answer.gate?.pass();
    const body = Buffer.from(answer.body ?? '');
    response.writeHead(answer.status ?? 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.byteLength + (answer.missing ?? 0),
      ...answer.headers,
    });
    if (answer.missing === undefined) response.end(request.method === 'HEAD' ? undefined : body);
    else
      response.write(body, () => {
        response.destroy();
      });
  });
  return {
    ...server,
    set: (more) => {
      for (const [path, page] of Object.entries(more)) all.set(path, page);
    },
    get paths() {
      return server.requests.map((request) => request.path);
    },
  };
}

/** A site that is closed with its test. */
export async function siteOfTest(context: TestContext, pages: Record<string, SitePage>): Promise<Site> {
  const site = await startSite(pages);
  context.after(() => site.close());
  return site;
}

/** Returns the number of requests for a path. */
export const timesAsked = (site: Site, path: string): number =>
  site.paths.filter((one) => one === path).length;

/** An answer that sends the reader elsewhere. */
export function redirect(location: string, code: 301 | 302 | 303 | 307 | 308 = 302): Answer {
  return { status: code, headers: { location } };
}

/** An answer with a status and a short page that names it. */
export function status(code: number, headers: OutgoingHttpHeaders = {}): Answer {
  return { status: code, headers, body: `<!doctype html><title>${String(code)}</title><p>${String(code)}` };
}

/** Returns a page that fails a number of times, and then succeeds. */
export function failing(times: number, failure: Answer, page: string | Answer): SitePage {
  return (_request, before) => (before < times ? failure : page);
}

/** Returns a page of another type, such as a PDF or a text. */
export function file(type: string, body: string | Uint8Array): Answer {
  return { headers: { 'content-type': type }, body };
}
