import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { OutlineItem, OutlineStep } from './outline.ts';
import { outlineStep, unfoldedAtFirst, visibleRows } from './outline.ts';

export interface OutlinePaneProps {
  readonly items: readonly OutlineItem[];
  readonly onGoTo: (item: OutlineItem) => void;
}

/** The outline of the PDF as a tree: arrows move and fold, Enter goes to the place. */
export function OutlinePane({ items, onGoTo }: OutlinePaneProps): JSX.Element {
  const tree = useRef<HTMLUListElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<OutlineItem>>(() => unfoldedAtFirst(items));
  const [focused, setFocused] = useState(0);
  const rows = visibleRows(items, unfolded);
  const inReach = Math.min(focused, rows.length - 1);

  const take = (step: OutlineStep): void => {
    switch (step.kind) {
      case 'focus':
        setFocused(step.index);
        rowElement(tree.current, step.index)?.focus();
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
          role="treeitem"
          aria-level={level}
          aria-expanded={item.items.length === 0 ? undefined : isOpen}
          tabIndex={index === inReach ? 0 : -1}
          title={item.title}
          style={{ '--level': Math.min(level, 8) }}
          onFocus={() => {
            setFocused(index);
          }}
          onKeyDown={(event) => {
            const step = outlineStep(event.key, rows, index);
            if (step === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            take(step);
          }}
          onClick={() => {
            take({ kind: 'goTo', item });
          }}
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
          <span class="title" dir="auto">
            {item.title}
          </span>
        </li>
      ))}
    </ul>
  );
}

function rowElement(tree: HTMLElement | null, index: number): HTMLElement | undefined {
  return tree?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index];
}
