import * as v from 'valibot';
import { fields } from '../../../core/domain/json-schemas.ts';

const previewSettings = fields({ source: v.string() });

/** Folder beside the notes whose files represent the targets of links in the Markdown preview. */
const LINK_FOLDER = 'link';

/** Target of a link in the preview of a note: a note or a source by its title, or a work by its key. */
export type PreviewTarget =
  | { readonly kind: 'title'; readonly title: string; readonly heading: string | undefined }
  | { readonly kind: 'work'; readonly key: string };

/**
 * Returns the URI of the document in the editor's preview, from the preview's settings; undefined if they have none.
 */
export function previewedSource(settings: string): string | undefined {
  try {
    return v.parse(previewSettings, JSON.parse(settings)).source;
  } catch {
    // The settings aren't valid JSON.
    return undefined;
  }
}

/**
 * Returns the URL of a link relative to its note. The preview doesn't allow commands, and a title can have any
 * character.
 */
export function previewLink(target: PreviewTarget): string {
  const words = target.kind === 'work' ? ['work', target.key] : ['title', target.title, target.heading ?? ''];
  const bytes = new TextEncoder().encode(JSON.stringify(words));
  return `${LINK_FOLDER}/${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the target of the file at a path below the notes; undefined for other files. */
export function targetOfPreviewLink(path: string): PreviewTarget | undefined {
  const [, hex] = /^\/link\/((?:[\da-f]{2}){1,8000})$/.exec(path) ?? [];
  if (hex === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const words: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined;
    const [kind, name = '', heading = ''] = words;
    if (name === '') return undefined;
    if (kind === 'work') return { kind, key: name };
    return kind === 'title'
      ? { kind, title: name, heading: heading === '' ? undefined : heading }
      : undefined;
  } catch {
    // The bytes aren't JSON.
    return undefined;
  }
}
