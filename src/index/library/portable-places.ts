import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Citation } from '../../core/domain/answer.ts';

/** Returns the path of a place within one of some folders; undefined if none contains it. All are URIs. */
export function pathBelow(uri: string, roots: readonly string[]): string | undefined {
  for (const root of roots) {
    const folder = root.endsWith('/') ? root : `${root}/`;
    if (uri === root) return '.';
    if (uri.startsWith(folder)) return decodeURIComponent(uri.slice(folder.length));
  }
  return undefined;
}

/**
 * Returns the URI of the first existing file or folder with a path in one of some folders; undefined if none exists or
 * the path leads out of them.
 */
export function placeBelow(path: string, roots: readonly string[]): string | undefined {
  if (!isWithin(path)) return undefined;
  for (const root of roots) {
    const uri = uriBelow(root, path);
    if (isThere(uri)) return uri;
  }
  return undefined;
}

/** Reports whether a file or folder exists at a URI. */
function isThere(uri: string): boolean {
  return uri.startsWith('file:') && existsSync(fileURLToPath(uri));
}

/** Returns the URI of a path in a folder, in the format of the editor. */
export function uriBelow(root: string, path: string): string {
  if (path === '.' || path === '') return root;
  const encoded = path.split('/').map((part) => encodePart(part));
  return `${root.replace(/\/$/, '')}/${encoded.join('/')}`;
}

/** Reports whether a path stays within its folder. */
export function isWithin(path: string): boolean {
  if (path === '.') return true;
  return (
    path !== '' && !/[\\\0]/.test(path) && path.split('/').every((part) => !/^(?:|\.\.?|[a-z]:)$/i.test(part))
  );
}

/** Returns the address of a web page; '' for all other URIs, which aren't opened. */
export function webAddress(uri: string): string {
  const protocol = URL.parse(uri)?.protocol;
  return protocol === 'http:' || protocol === 'https:' ? uri : '';
}

/** Returns a citation whose location is a web address or a path in a workspace. */
export function portableCitation({ uri, ...citation }: Citation, roots: readonly string[]): object {
  return { ...citation, url: webAddress(uri), path: pathBelow(uri, roots) };
}

/** Returns an answer with portable citations, without the text before a correction. */
export function portableAnswer(answer: Answer, roots: readonly string[]): object {
  // The retrieved passages have numbers that are only valid in this notebook.
  return {
    ...answer,
    read: undefined,
    like: undefined,
    beforeCorrection: undefined,
    citations: answer.citations.map((citation) => portableCitation(citation, roots)),
  };
}

/** Encodes a part of a path like VS Code, which encodes more characters than `encodeURIComponent`. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
