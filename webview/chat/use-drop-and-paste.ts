import type { RefObject } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../src/core/domain/errors.ts';
import { webAddressesIn } from '../../src/core/domain/web-address.ts';
import type { Span } from '../../src/core/language/span.ts';
import { readDropped } from './dropped-files.ts';
import { HostContext } from './host.ts';
import { withMentions } from './mentions.ts';

/** Minimum length of pasted text that can become a source. A shorter text is a question. */
const LONG_TEXT = 1000;

const EDITOR_URIS = 'application/vnd.code.uri-list';
const URIS = 'text/uri-list';

/** Pasted content that could be a source: only web addresses, or a long text. */
export interface Offer {
  readonly pages: readonly string[];
  /** The text as it appears in the question. */
  readonly text: string;
}

/** Handlers for content dropped on the panel or pasted into its input. */
export interface DropHandlers {
  /** `true` while content that can be added is dragged over the panel. */
  readonly isOver: boolean;
  /** Last pasted content, while it is still in the question. */
  readonly offer: Offer | undefined;
  readonly pasted: (event: ClipboardEvent) => void;
  readonly accept: (offer: Offer) => void;
  readonly dismiss: () => void;
}

/** Adds dropped content, and offers to add pasted content. Both are then mentioned in the question. */
export function useDropAndPaste(
  field: RefObject<HTMLTextAreaElement | null>,
  question: string,
  write: (text: string) => void,
): DropHandlers {
  const host = useContext(HostContext);
  const [isOver, setOver] = useState(false);
  const [offer, setOffer] = useState<Offer>();

  /** Replaces the pasted text with mentions of the added sources, if the text is still there. */
  const mention = (titles: readonly string[], from: string | undefined): void => {
    const input = field.current;
    if (input === null || titles.length === 0) return;
    const start = from === undefined ? -1 : input.value.indexOf(from);
    const place: Span =
      start < 0
        ? { start: input.selectionEnd, end: input.selectionEnd }
        : { start, end: start + (from?.length ?? 0) };
    const mentioned = withMentions(input.value, place, titles);
    write(mentioned.text);
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(mentioned.cursor, mentioned.cursor);
    });
  };
  const add = async (transfer: DataTransfer): Promise<void> => {
    const uriList = transfer.getData(EDITOR_URIS) || transfer.getData(URIS);
    try {
      const files = uriList === '' ? await readDropped(transfer) : [];
      const sources = await host.client.call('addDropped', { uriList, files });
      mention(
        sources.map(({ title }) => title),
        undefined,
      );
    } catch (error) {
      host.showProblem(errorMessage(error));
    }
  };

  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!canBeAdded(event.dataTransfer)) return;
      // Otherwise, the editor handles the drag and covers this page, which then gets no mouse events.
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!canBeAdded(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      void add(event.dataTransfer);
    };
    document.addEventListener('dragenter', over);
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragenter', over);
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  });

  return {
    isOver,
    offer: offer !== undefined && question.includes(offer.text) ? offer : undefined,
    pasted: (event) => {
      const text = (event.clipboardData?.getData('text/plain') ?? '').replaceAll(/\r\n?/g, '\n').trim();
      const pages = webAddressesIn(text);
      setOffer(pages.length > 0 || text.length >= LONG_TEXT ? { pages, text } : undefined);
    },
    accept: ({ text }) => {
      setOffer(undefined);
      host.client.call('addDropped', { text }).then(
        (sources) =>
          mention(
            sources.map(({ title }) => title),
            text,
          ),
        (error: unknown) => host.showProblem(errorMessage(error)),
      );
    },
    dismiss: () => {
      setOffer(undefined);
      field.current?.focus();
    },
  };
}

/** Reports whether a drag contains files or addresses. Dragged text is inserted, as in any input. */
function canBeAdded(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.some((type) => [EDITOR_URIS, URIS, 'Files'].includes(type)) === true;
}
