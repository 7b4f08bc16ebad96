import { h, render, type JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { outlineStep, unfoldedAtFirst, visibleRows, type OutlineItem, type OutlineStep } from './outline.ts';

/** Outline next to the pages. Uses room only if the PDF has one and the reader opens it. */
export class OutlinePanel {
  readonly #side: HTMLElement;
  readonly #onGoTo: (item: OutlineItem) => void;
  readonly #onChange: () => void;
  #items: readonly OutlineItem[] = [];
  #isOpen = false;

  constructor(side: HTMLElement, onGoTo: (item: OutlineItem) => void, onChange: () => void) {
    this.#side = side;
    this.#onGoTo = onGoTo;
    this.#onChange = onChange;
    side.hidden = true;
  }

  /** `true` if the outline is open; undefined if the PDF has none, or it isn't loaded yet. */
  get isOpen(): boolean | undefined {
    return this.#items.length === 0 ? undefined : this.#isOpen;
  }

  /** Shows an outline, and opens it if it isn't empty and was open. */
  take(items: readonly OutlineItem[], isOpen: boolean): void {
    this.#items = items;
    this.#isOpen = isOpen && items.length > 0;
    this.#draw();
  }

  /** Opens and takes the focus, or closes and returns the focus to the pages. */
  toggle(pages: HTMLElement): void {
    if (this.#items.length === 0) return;
    this.#isOpen = !this.#isOpen;
    this.#draw();
    const focused = this.#isOpen ? this.#side.querySelector<HTMLElement>('[tabindex="0"]') : pages;
    focused?.focus();
  }

  #draw(): void {
    this.#side.hidden = !this.#isOpen;
    render(this.#isOpen ? h(OutlinePane, { items: this.#items, onGoTo: this.#onGoTo }) : null, this.#side);
    this.#onChange();
  }
}

interface OutlinePaneProps {
  readonly items: readonly OutlineItem[];
  readonly onGoTo: (item: OutlineItem) => void;
}

/** Shows the outline of the PDF as a tree. Arrows move and fold, Enter goes to the location. */
function OutlinePane({ items, onGoTo }: OutlinePaneProps): JSX.Element {
  const tree = useRef<HTMLUListElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<OutlineItem>>(() => unfoldedAtFirst(items));
  const [focused, setFocused] = useState(0);
  const rows = visibleRows(items, unfolded);
  const inReach = Math.min(focused, rows.length - 1);

  const take = (step: OutlineStep): void => {
    switch (step.kind) {
      case 'focus':
        setFocused(step.index);
        tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[step.index]?.focus();
        return;
      case 'goTo':
        onGoTo(step.item);
        return;
      case 'fold':
      case 'unfold': {
        const changed = new Set(unfolded);
        if (step.kind === 'fold') changed.delete(step.item);
        else changed.add(step.item);
        setUnfolded(changed);
      }
    }
  };
  return (
    <ul class="outline" role="tree" aria-label={t('Outline')} ref={tree}>
      {rows.map(({ item, level, isOpen }, index) => (
        <li
          key={index}
          class="hoverable"
          role="treeitem"
          aria-level={level}
          aria-expanded={item.items.length === 0 ? undefined : isOpen}
          tabIndex={index === inReach ? 0 : -1}
          title={item.title}
          style={{ '--level': Math.min(level, 8) }}
          onFocus={() => setFocused(index)}
          onKeyDown={(event) => {
            const step = outlineStep(event.key, rows, index);
            if (step === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            take(step);
          }}
          onClick={() => take({ kind: 'goTo', item })}
        >
          <span
            class={`twistie codicon${item.items.length === 0 ? '' : isOpen ? ' codicon-chevron-down' : ' codicon-chevron-right'}`}
            aria-hidden="true"
            onClick={(event) => {
              if (item.items.length === 0) return;
              event.stopPropagation();
              take({ kind: isOpen ? 'fold' : 'unfold', item });
            }}
          />
          <span class="ellipsis" dir="auto">
            {item.title}
          </span>
        </li>
      ))}
    </ul>
  );
}
