// Serves the files of the build, and the HTML of pages, to the browser of this process. Requests that the browser makes
// itself cost less than requests that a test answers, and the browser caches what it compiled of them.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { root } from '../support/paths.mjs';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const BUILD_PATH = /^\/dist\/[\w./-]+$/;

/** HTML of pages by their path. */
const pages = new Map<string, () => string>([['/empty', () => '']]);

/** Files of tests by their path. */
const files = new Map<string, ServedFile>();

interface ServedFile {
  readonly bytes: Uint8Array;
  readonly type: string;
}

const server = createServer((request, response) => {
  const { pathname: path } = new URL(request.url ?? '', ORIGIN);
  const html = pages.get(path);
  const file = files.get(path);
  if (file !== undefined) sendPart(file, request.headers.range, response);
  else if (html !== undefined)
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(html());
  else if (!BUILD_PATH.test(path)) response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
  else
    readFile(join(root, path)).then(
      (bytes) => {
        const type = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(bytes);
      },
      () => response.writeHead(404).end(),
    );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
server.unref();

/** Origin of the pages and of the extension's files. */
export const ORIGIN = `http://localhost:${String((server.address() as AddressInfo).port)}`;

/** Returns the URL of a file of the repository, for example of `dist/pdfjs/wasm/`. */
export function address(path: string): string {
  return `${ORIGIN}/${path}`;
}

/** Serves HTML that is generated for each request, and returns its URL. */
export function serveHtml(html: () => string): string {
  const path = `/page-${String(pages.size)}`;
  pages.set(path, html);
  return `${ORIGIN}${path}`;
}

/** Serves bytes, also in parts as media elements request them, and returns their URL. */
export function serveBytes(bytes: Uint8Array, type: string): string {
  const path = `/file-${String(files.size)}`;
  files.set(path, { bytes, type });
  return `${ORIGIN}${path}`;
}

function sendPart({ bytes, type }: ServedFile, range: string | undefined, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) {
    response.writeHead(200, { 'content-type': type, 'accept-ranges': 'bytes' }).end(bytes);
    return;
  }
  const part = bytes.subarray(Number(from), to === '' ? bytes.length : Number(to) + 1);
  const last = Number(from) + part.length - 1;
  response
    .writeHead(206, {
      'content-type': type,
      'accept-ranges': 'bytes',
      'content-range': `bytes ${from}-${String(last)}/${String(bytes.length)}`,
    })
    .end(part);
}
