// Runs in VS Code's own Markdown preview: turns `[[titles]]` and `[@keys]` into links in our notes.
import { workCitations } from '../../src/core/domain/cite-keys.ts';
import { noteLinks } from '../../src/core/domain/note-links.ts';
import { previewedSource, previewLink } from '../../src/features/notes/model/preview-links.ts';

interface Link {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly href: string;
}

const settings = document.querySelector('#vscode-markdown-preview-data')?.getAttribute('data-settings') ?? '';
let source = previewedSource(settings);

function linkAll(): void {
  const body = document.querySelector('.markdown-body');
  if (body === null || source?.startsWith('open-notebook-note:') !== true) return;
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const linkable: Text[] = [];
  while (texts.nextNode() !== null) {
    const text = texts.currentNode as Text;
    const isPlain = text.parentElement?.closest('a, code, pre, script, style, svg, math') === null;
    if (isPlain && /\[\[|@/.test(text.data)) linkable.push(text);
  }
  for (const text of linkable) {
    const links = linksIn(text.data);
    if (links.length > 0) text.replaceWith(...cutPieces(text.data, links));
  }
}

function linksIn(text: string): Link[] {
  const titles = noteLinks(text).map(({ start, end, title, heading, label }) => ({
    ...{ start, end, label: label ?? (heading === undefined ? title : `${title} › ${heading}`) },
    href: previewLink({ kind: 'title', title, heading }),
  }));
  const works = workCitations(text)
    .flatMap(({ works: cited }) => cited)
    .map(({ start, end, key }) => ({
      ...{ start, end, label: `@${key}` },
      href: previewLink({ kind: 'work', key }),
    }));
  return [...titles, ...works].toSorted((a, b) => a.start - b.start);
}

function cutPieces(text: string, links: readonly Link[]): (Node | string)[] {
  const pieces: (Node | string)[] = [];
  let from = 0;
  for (const { start, end, label, href } of links) {
    if (start < from) continue;
    const anchor = document.createElement('a');
    anchor.href = href;
    anchor.dataset['href'] = href;
    anchor.textContent = label;
    pieces.push(text.slice(from, start), anchor);
    from = end;
  }
  return [...pieces, text.slice(from)];
}

// A preview can switch to other files. A message announces the file before its content is rendered.
window.addEventListener(
  'message',
  ({ data }: MessageEvent<{ readonly type?: unknown; readonly source?: unknown } | undefined>) => {
    if (data?.type === 'updateContent' && typeof data.source === 'string') source = data.source;
  },
  true,
);
window.addEventListener('vscode.markdown.updateContent', linkAll);
// Another script adds the first content, and may run later.
const drawn = new MutationObserver(linkWhatIsDrawn);
function linkWhatIsDrawn(): void {
  if (document.querySelector('.markdown-body') === null) return;
  drawn.disconnect();
  linkAll();
}
drawn.observe(document.documentElement, { childList: true, subtree: true });
linkWhatIsDrawn();
