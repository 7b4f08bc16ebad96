import { h, render, type JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ShownAnnotation } from './annotation-list.ts';
import { tellKind, type PageAnnotations } from './page-annotations.ts';

/** What the list does with one of its entries. */
interface ListActions {
  goTo(shown: ShownAnnotation): void;
  remove(shown: ShownAnnotation): void;
  pageLabel(page: number): string;
}

/** The list of annotations beside the pages. */
export class AnnotationsPanel {
  readonly #side: HTMLElement;
  readonly #annotations: PageAnnotations;
  readonly #actions: ListActions;
  readonly #onChange: () => void;
  #reading: AbortController | undefined;
  #isOpen = false;

  constructor(side: HTMLElement, annotations: PageAnnotations, actions: ListActions, onChange: () => void) {
    this.#side = side;
    this.#annotations = annotations;
    this.#actions = actions;
    this.#onChange = onChange;
    side.hidden = true;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens or closes it, and gives it the focus or the pages theirs back. */
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

  draw(): void {
    this.#side.hidden = !this.#isOpen;
    const shown = this.#annotations.shown;
    const isReading = this.#reading !== undefined;
    render(this.#isOpen ? h(AnnotationList, { shown, isReading, actions: this.#actions }) : null, this.#side);
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
  /** Whether there may be more on pages that are still to be read. */
  readonly isReading: boolean;
  readonly actions: ListActions;
}

/** All annotations, or those that hold some words: arrows move, Enter goes to the place, Delete removes. */
function AnnotationList({ shown, isReading, actions }: AnnotationListProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const [words, setWords] = useState('');
  const [focused, setFocused] = useState(0);
  const wanted = words.trim().toLowerCase();
  const found = shown.filter(({ annotation: { words: marked, remark } }) =>
    `${marked}\n${remark}`.toLowerCase().includes(wanted),
  );
  const inReach = Math.max(0, Math.min(focused, found.length - 1));
  const move = (index: number): void => {
    const clamped = Math.max(0, Math.min(index, found.length - 1));
    setFocused(clamped);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[clamped]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const one = found[index];
    if (one === undefined) return;
    switch (event.key) {
      case 'ArrowDown':
        move(index + 1);
        break;
      case 'ArrowUp':
        move(index - 1);
        break;
      case 'Home':
        move(0);
        break;
      case 'End':
        move(found.length - 1);
        break;
      case 'Enter':
        actions.goTo(one);
        break;
      case 'Delete':
      case 'Backspace':
        actions.remove(one);
        requestAnimationFrame(() => move(index));
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="annotation-list" aria-label={t('Highlights')}>
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
      {found.length === 0 ? (
        <p role="status">{emptyText(shown, isReading)}</p>
      ) : (
        <ul role="listbox" aria-label={t('Highlights')} ref={list}>
          {found.map((one, index) => (
            <li
              key={one.key}
              role="option"
              aria-selected={index === inReach}
              tabIndex={index === inReach ? 0 : -1}
              onFocus={() => setFocused(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onClick={() => actions.goTo(one)}
            >
              <Entry shown={one} page={actions.pageLabel(one.annotation.page)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function emptyText(shown: readonly ShownAnnotation[], isReading: boolean): string {
  if (isReading) return t('Reading the pages…');
  return shown.length === 0 ? t('Select words in the pages and press H to highlight them.') : t('No results');
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
      <span class="told">
        <span class="words" dir="auto">
          {annotation.words === '' ? tellKind(annotation.kind) : annotation.words}
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
