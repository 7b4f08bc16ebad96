import { parseBounded } from '../../core/domain/bounded-json.ts';
import { scanMarkup } from '../markup-scan.ts';

/** Caption of YouTube, with its display time in seconds. */
interface YouTubeCaption {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const JSON_BOUNDS = { depth: 20, values: 4_000_000 };

/**
 * Returns the captions in a file in one of the formats of YouTube: json3, srv3, and the older srv1. Undefined for other
 * files.
 */
export function youTubeCaptions(original: string): YouTubeCaption[] | undefined {
  const start = original.slice(0, 1_000);
  if (/^\s*\{/.test(start) && /"(?:wireMagic|events)"/.test(start)) return json3Captions(original);
  return /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<(?:timedtext|transcript)\b/.test(start)
    ? xmlCaptions(original)
    : undefined;
}

function json3Captions(original: string): YouTubeCaption[] {
  let data: unknown;
  try {
    data = parseBounded(original, JSON_BOUNDS);
  } catch {
    // A damaged file has no captions.
    return [];
  }
  return listIn(data, 'events').flatMap((event) => {
    const text = listIn(event, 'segs')
      .map((part) => fieldOf(part, 'utf8'))
      .filter((words) => typeof words === 'string')
      .join('');
    return caption(fieldOf(event, 'tStartMs'), fieldOf(event, 'dDurationMs'), 1000, text);
  });
}

/** Reads `<p t="1000" d="2000">` of srv3, in milliseconds, and `<text start="1" dur="2">` of srv1, in seconds. */
function xmlCaptions(original: string): YouTubeCaption[] {
  const captions: YouTubeCaption[] = [];
  let open: { readonly from: unknown; readonly length: unknown; readonly unit: number } | undefined;
  let text = '';
  scanMarkup(original, 'xml', {
    onOpen(name, attributes) {
      if (name === 'p') open = { from: attributes.get('t'), length: attributes.get('d'), unit: 1000 };
      else if (name === 'text')
        open = { from: attributes.get('start'), length: attributes.get('dur'), unit: 1 };
      else if (name === 'br') text += '\n';
      if (name === 'p' || name === 'text') text = '';
    },
    onText(words) {
      text += words;
    },
    onClose(name) {
      if (open === undefined || (name !== 'p' && name !== 'text')) return;
      captions.push(...caption(open.from, open.length, open.unit, text));
      open = undefined;
    },
  });
  return captions;
}

/** Returns a caption; empty without a time or words. `unit` is the number of time units per second. */
function caption(from: unknown, length: unknown, unit: number, text: string): YouTubeCaption[] {
  const [start, duration] = [Number(from) / unit, Number(length ?? 0) / unit];
  if (!Number.isFinite(start) || start < 0 || text.trim() === '') return [];
  return [{ from: start, to: start + (duration > 0 ? duration : 0), text }];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}
