import { Tokenizer } from 'htmlparser2';
import { voids } from './web/html-rules.ts';
import { isXhtml } from './web/parse-page.ts';

/** Callbacks for the parts of markup, in order. Offsets into the markup are in UTF-16 code units. */
interface MarkupEvents {
  readonly onOpen?: (name: string, attributes: ReadonlyMap<string, string>, start: number) => void;
  /**
   * Called at once for an element that closes itself or can't have content. Not called for an element that is never
   * closed.
   */
  readonly onClose?: (name: string, start: number) => void;
  /** Called for each text; a resolved entity is a separate text. */
  readonly onText?: (text: string, start: number, end: number) => void;
}

/** Maximum number of attributes of an element, and maximum length of a value. The rest is ignored. */
const MAX_ATTRIBUTES = 200;
const MAX_VALUE_LENGTH = 8192;

const none: ReadonlyMap<string, string> = new Map();

/**
 * Scans HTML or XML tag by tag, without tracking which elements contain which: the time of htmlparser2's parser grows
 * with the square of the nesting depth. Reports HTML names in lowercase.
 */
export function scanMarkup(markup: string, kind: 'html' | 'xml', events: MarkupEvents): void {
  const nameAt = (start: number, end: number): string => {
    const name = markup.slice(start, end);
    return kind === 'html' ? name.toLowerCase() : name;
  };
  let [name, tagStart, attribute, value] = ['', 0, '', ''];
  let attributes: Map<string, string> | undefined;
  /** Number of open drawings and formulas, inside which HTML accepts self-closing elements as XML does. */
  let foreign = 0;
  const canCloseItself = kind === 'html' && isXhtml(markup);
  const open = (isClosed: boolean): void => {
    events.onOpen?.(name, attributes ?? none, tagStart);
    const isForeign = kind === 'html' && (name === 'svg' || name === 'math');
    if (
      kind === 'html' ? isVoid(name) || (isClosed && (canCloseItself || isForeign || foreign > 0)) : isClosed
    )
      events.onClose?.(name, tagStart);
    else if (isForeign) foreign++;
  };
  const text = (start: number, end: number): void => {
    events.onText?.(markup.slice(start, end), start, end);
  };
  const passOver = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: kind === 'xml' },
    {
      onopentagname(start, end) {
        name = nameAt(start, end);
        tagStart = start - 1;
        attributes = undefined;
      },
      onattribname(start, end) {
        attribute = nameAt(start, end);
        value = '';
      },
      onattribdata(start, end) {
        if (value.length < MAX_VALUE_LENGTH)
          value += markup.slice(start, Math.min(end, start + MAX_VALUE_LENGTH));
      },
      onattribentity(codePoint) {
        if (value.length < MAX_VALUE_LENGTH) value += String.fromCodePoint(codePoint);
      },
      onattribend() {
        attributes ??= new Map();
        if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend() {
        open(false);
      },
      onselfclosingtag() {
        open(true);
      },
      onclosetag(start, end) {
        const closed = nameAt(start, end);
        if (kind === 'html' && isVoid(closed)) return;
        if (closed === 'svg' || closed === 'math') foreign = Math.max(0, foreign - 1);
        events.onClose?.(closed, start - 2);
      },
      ontext: text,
      ontextentity(codePoint, end) {
        events.onText?.(String.fromCodePoint(codePoint), entityStart(markup, end), end);
      },
      oncdata(start, end, offset) {
        text(start, end - offset);
      },
      oncomment: passOver,
      ondeclaration: passOver,
      onprocessinginstruction: passOver,
      onend: passOver,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}

function isVoid(name: string): boolean {
  return voids.has(name.toUpperCase());
}

/** Returns the start of the entity that ends at a position. */
function entityStart(markup: string, end: number): number {
  return Math.max(0, markup.lastIndexOf('&', end - 1));
}
