import { scanMarkup } from './markup-scan.ts';

/** The text of an HTML source as a reader sees it, and where each of its UTF-16 code units begins in the source. */
export interface SourceText {
  readonly text: string;
  readonly offsets: Uint32Array;
}

const unread = new Set(['script', 'style', 'template', 'title', 'svg']);

const inline = new Set(
  'a,abbr,b,bdi,bdo,cite,code,data,dfn,em,font,i,ins,del,kbd,mark,q,s,samp,small,span,strong,sub,sup,time,tt,u,var,wbr'.split(
    ',',
  ),
);

/** The text nodes of an HTML source in their order, entities resolved, with a line break where a block begins or ends. */
export function alignedSource(html: string): SourceText {
  const parts: string[] = [];
  const offsets: number[] = [];
  let unreadDepth = 0;
  const add = (text: string, offset: number, literal: boolean): void => {
    parts.push(text);
    for (let i = 0; i < text.length; i++) offsets.push(literal ? offset + i : offset);
  };
  const tag = (name: string, start: number, step: number): void => {
    if (unread.has(name)) unreadDepth = Math.max(0, unreadDepth + step);
    else if (!inline.has(name)) add('\n', start, false);
  };
  scanMarkup(html, 'html', {
    onOpen: (name, _, start) => {
      tag(name, start, 1);
    },
    onClose: (name, start) => {
      tag(name, start, -1);
    },
    onText: (text, start) => {
      // An entity comes as a text of its own that the source writes otherwise.
      if (unreadDepth === 0) add(text, start, html.startsWith(text, start));
    },
  });
  return { text: parts.join(''), offsets: Uint32Array.from(offsets) };
}
