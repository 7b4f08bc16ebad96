import type { RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { MentionableSource } from '../../src/features/chat/protocol.ts';
import { HostContext } from './host.ts';
import { complete, suggestSources, typedMention } from './mentions.ts';

/** Suggested sources for a mention that the user is typing, and its handlers. */
export interface Mentions {
  readonly options: readonly MentionableSource[];
  readonly active: number;
  /** Called at every move of the cursor. */
  readonly moved: () => void;
  /** Handles a key, and reports whether it was for the list. */
  readonly take: (key: string) => boolean;
  readonly choose: (option: MentionableSource) => void;
  readonly close: () => void;
}

/** Follows an input and completes the sources that are mentioned in it. */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  write: (text: string) => void,
): Mentions {
  const host = useContext(HostContext);
  const [cursor, setCursor] = useState(0);
  const [sources, setSources] = useState<readonly MentionableSource[]>([]);
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const [moveTo, setMoveTo] = useState<number>();
  const mention = typedMention(text, cursor);
  const start = mention?.start;
  const options = mention === undefined || start === closedAt ? [] : suggestSources(sources, mention.typed);

  useEffect(() => {
    if (start === undefined) {
      setClosedAt(undefined);
      return;
    }
    // If the notebook can't be opened there is nothing to suggest, and asking a question shows the reason.
    host.client.call('mentionable', {}).then(setSources, () => undefined);
  }, [host, start]);

  useEffect(() => setActive(0), [mention?.typed]);

  useLayoutEffect(() => {
    if (moveTo === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(moveTo, moveTo);
    setCursor(moveTo);
    setMoveTo(undefined);
  }, [field, moveTo]);

  const choose = ({ title }: MentionableSource): void => {
    if (mention === undefined) return;
    const completed = complete(text, cursor, mention, title);
    write(completed.text);
    setMoveTo(completed.cursor);
  };
  const close = (): void => setClosedAt(start);
  return {
    options,
    active,
    moved: () => {
      const at = field.current?.selectionStart ?? 0;
      setCursor(field.current?.selectionEnd === at ? at : 0);
    },
    take: (key) => {
      const option = options[active];
      if (option === undefined) return false;
      if (key === 'ArrowDown') setActive((active + 1) % options.length);
      else if (key === 'ArrowUp') setActive((active + options.length - 1) % options.length);
      else if (key === 'Enter' || key === 'Tab') choose(option);
      else if (key === 'Escape') close();
      else return false;
      return true;
    },
    choose,
    close,
  };
}
