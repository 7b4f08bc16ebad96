import type { PageNumber } from '../../src/core/domain/page-number.ts';
import { h, render, type JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import type { ShownAnnotation } from './annotation-list.ts';
import { kindLabel, type PageAnnotations } from './page-annotations.ts';

/** Actions for an entry of the list. */
interface ListActions {
  goTo(shown: ShownAnnotation): void;
  remove(shown: ShownAnnotation): void;
  addToNote(listed: readonly ShownAnnotation[]): void;
  pageLabel(page: PageNumber): string;
}

/** List of annotations next to the pages. */
export class AnnotationsPanel {
  readonly #side: HTMLElement;
  readonly #annotations: PageAnnotations;
  readonly #actions: ListActions;
  readonly #onChange: () => void;
  #reading: AbortController | undefined;
  #isOpen = false;
  #selected: readonly ShownAnnotation[] = [];

  constructor(side: HTMLElement, annotations: PageAnnotations, actions: ListActions, onChange: () => void) {
    this.#side = side;
    this.#annotations = annotations;
    this.#actions = actions;
    this.#onChange = onChange;
    side.hidden = true;
  }

  /** `true` if the panel is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Selected entries, in order. */
  get selected(): readonly ShownAnnotation[] {
    return this.#isOpen ? this.#selected : [];
  }

  /** Opens and takes the focus, or closes and returns the focus to the pages. */
  toggle(pages: HTMLElement): void {
    this.#isOpen = !this.#isOpen;
    this.#reading?.abort();
    this.#reading = this.#isOpen ? new AbortController() : undefined;
    this.draw();
    const focused = this.#isOpen ? this.#side.querySelector<HTMLElement>('input') : pages;
    focused?.focus();
    if (this.#reading !== undefined) void this.#readAll(this.#reading.signal);
    this.#onChange();
  }

  /** Renders the panel again. */
  draw(): void {
    this.#side.hidden = !this.#isOpen;
    const shown = this.#annotations.shown;
    const isReading = this.#reading !== undefined;
    const list = h(AnnotationList, {
      shown,
      isReading,
      actions: this.#actions,
      onSelected: (selected) => {
        this.#selected = selected;
      },
    });
    render(this.#isOpen ? list : null, this.#side);
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    await this.#annotations.loadAll(signal);
    if (signal.aborted) return;
    this.#reading = undefined;
    this.draw();
  }
}

interface AnnotationListProps {
  readonly shown: readonly ShownAnnotation[];
  /** `true` while pages that may contain more annotations are being read. */
  readonly isReading: boolean;
  readonly actions: ListActions;
  readonly onSelected: (selected: readonly ShownAnnotation[]) => void;
}

/** Identifies the context menu for the editor. */
const MENU = JSON.stringify({ webviewSection: 'highlights', preventDefaultContextMenuItems: true });

/**
 * Shows all annotations, or those that contain some words. Arrows move, with Shift they select, Enter goes to the
 * location, Delete removes the selection.
 */
function AnnotationList({ shown, isReading, actions, onSelected }: AnnotationListProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const [words, setWords] = useState('');
  const [focused, setFocused] = useState(0);
  /** Keys of the selection and its start, unless only the active entry is selected. */
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const query = words.trim().toLowerCase();
  const matches = shown.filter(({ annotation: { words: marked, remark } }) =>
    `${marked}\n${remark}`.toLowerCase().includes(query),
  );
  const inReach = Math.max(0, Math.min(focused, matches.length - 1));
  const extended = matches.filter(({ key }) => marked.has(key));
  const selected = extended.length > 0 ? extended : matches.slice(inReach, inReach + 1);
  const keysSelected = new Set(selected.map(({ key }) => key));
  // Before the next message from the editor, which may ask for the selection.
  useLayoutEffect(() => onSelected(selected));
  const select = (keys: readonly string[], from: number): void => {
    setMarked(new Set(keys));
    setAnchor(from);
  };
  const selectTo = (index: number): void => {
    const [from, to] = index < anchor ? [index, anchor] : [anchor, index];
    select(
      matches.slice(from, to + 1).map(({ key }) => key),
      anchor,
    );
  };
  const move = (index: number, isExtending = false): void => {
    const clamped = Math.max(0, Math.min(index, matches.length - 1));
    if (isExtending) selectTo(clamped);
    else select([], clamped);
    setFocused(clamped);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[clamped]?.focus();
  };
  const onClick = (event: MouseEvent, index: number): void => {
    const clicked = matches[index];
    if (clicked === undefined) return;
    setFocused(index);
    if (event.shiftKey) selectTo(index);
    else if (event.ctrlKey || event.metaKey) {
      // The click has already moved the focus, so the earlier selection starts at the anchor.
      const before = extended.length > 0 || index === anchor ? extended : matches.slice(anchor, anchor + 1);
      const keys = new Set(before.map(({ key }) => key));
      if (!keys.delete(clicked.key)) keys.add(clicked.key);
      select([...keys], index);
    } else {
      select([], index);
      actions.goTo(clicked);
    }
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const annotation = matches[index];
    if (annotation === undefined) return;
    switch (event.key) {
      case 'ArrowDown':
        move(index + 1, event.shiftKey);
        break;
      case 'ArrowUp':
        move(index - 1, event.shiftKey);
        break;
      case 'Home':
        move(0, event.shiftKey);
        break;
      case 'End':
        move(matches.length - 1, event.shiftKey);
        break;
      case 'a':
        if (!event.ctrlKey && !event.metaKey) return;
        select(
          matches.map(({ key }) => key),
          0,
        );
        break;
      case 'Enter':
        actions.goTo(annotation);
        break;
      case 'Delete':
      case 'Backspace':
        for (const each of selected) actions.remove(each);
        requestAnimationFrame(() => move(matches.indexOf(selected[0] ?? annotation)));
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="annotation-list" aria-label={t('Highlights')}>
      <div class="row">
        <input
          type="text"
          aria-label={t('Search highlights')}
          placeholder={t('Search highlights')}
          value={words}
          spellcheck={false}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') move(0);
          }}
        />
        <IconButton
          icon="quote"
          label={extended.length > 0 ? t('Add Selected to Note…') : t('Add All to Note…')}
          disabled={matches.length === 0}
          onPress={() => actions.addToNote(extended.length > 0 ? extended : matches)}
        />
      </div>
      {matches.length === 0 ? (
        <p role="status">{emptyText(shown, isReading)}</p>
      ) : (
        <ul
          class="plain-list"
          role="listbox"
          aria-label={t('Highlights')}
          aria-multiselectable
          data-vscode-context={MENU}
          ref={list}
        >
          {matches.map((annotation, index) => (
            <li
              key={annotation.key}
              class="hoverable"
              role="option"
              aria-selected={keysSelected.has(annotation.key)}
              tabIndex={index === inReach ? 0 : -1}
              onFocus={() => setFocused(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onClick={(event) => onClick(event, index)}
              onContextMenu={() => {
                if (keysSelected.has(annotation.key)) return;
                select([], index);
                setFocused(index);
              }}
            >
              <Entry shown={annotation} page={actions.pageLabel(annotation.annotation.page)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function emptyText(shown: readonly ShownAnnotation[], isReading: boolean): string {
  if (isReading) return t('Reading pages…');
  return shown.length === 0 ? t('Select text in the PDF and press H to highlight it.') : t('No results');
}

function Entry({
  shown: { annotation },
  page,
}: {
  readonly shown: ShownAnnotation;
  readonly page: string;
}): JSX.Element {
  return (
    <>
      <span class="swatch" style={{ background: annotation.colour }} aria-hidden="true" />
      <span class="details">
        <span class="words" dir="auto">
          {annotation.words === '' ? kindLabel(annotation.kind) : annotation.words}
        </span>
        {annotation.remark !== '' && (
          <span class="remark" dir="auto">
            {annotation.remark}
          </span>
        )}
        <span class="place">{t('p. {0}', page)}</span>
      </span>
    </>
  );
}
