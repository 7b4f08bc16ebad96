import { h, render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { HIGHLIGHT_COLORS, isOthers, type Annotation } from '../../src/core/domain/annotation.ts';
import { IconButton } from '../shared/toolkit.tsx';
import type { ShownAnnotation } from './annotation-list.ts';
import { kindLabel } from './page-annotations.ts';

/** Delay after the last key before a comment is saved, in milliseconds. */
const SAVE_DELAY_MS = 600;

/** Actions for an annotation. */
interface CardActions {
  change(shown: ShownAnnotation, changes: Partial<Pick<Annotation, 'colour' | 'remark'>>): void;
  remove(shown: ShownAnnotation): void;
  run(command: 'addSelection' | 'askAboutSelection'): void;
  /** Adds the text of an annotation, or the part of the page in a box, to a note. */
  addToNote(shown: ShownAnnotation): void;
  /** Returns the focus. */
  onClosed(key: string): void;
}

/** Card below an annotation with its color, comment, and actions. */
export class AnnotationCard {
  readonly #container: HTMLElement;
  readonly #place: HTMLElement;
  readonly #actions: CardActions;
  #key: string | undefined;

  constructor(container: HTMLElement, actions: CardActions) {
    this.#container = container;
    this.#actions = actions;
    this.#place = document.createElement('div');
    this.#place.className = 'selection card';
    this.#place.hidden = true;
    container.append(this.#place);
    container.addEventListener('pointerdown', (event) => {
      if (event.target instanceof Node && !this.#place.contains(event.target)) this.close(false);
    });
    this.#place.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close(true);
    });
  }

  /** Key of the annotation with the open card. */
  get key(): string | undefined {
    return this.#key;
  }

  /** Opens at a position of the window; `isWriting` focuses the comment. */
  open(shown: ShownAnnotation, at: DOMRect, isWriting: boolean): void {
    const isSame = this.#key === shown.key && !this.#place.hidden;
    this.#key = shown.key;
    this.update(shown);
    this.#place.hidden = false;
    if (isSame) return;
    const window = this.#container.getBoundingClientRect();
    const right = this.#container.clientWidth - this.#place.offsetWidth - 8;
    const below = this.#container.clientHeight - this.#place.offsetHeight - 8;
    const left = Math.max(8, Math.min(at.left - window.left, right));
    const top = Math.max(8, Math.min(at.bottom - window.top + 4, below));
    this.#place.style.left = `${String(this.#container.scrollLeft + left)}px`;
    this.#place.style.top = `${String(this.#container.scrollTop + top)}px`;
    const focused = this.#place.querySelector<HTMLElement>(
      isWriting ? 'textarea' : '[aria-checked="true"], [role="radio"], vscode-button',
    );
    focused?.focus({ preventScroll: true });
  }

  /** Updates an annotation, or closes the card if it is gone. */
  update(shown: ShownAnnotation | undefined): void {
    if (this.#key === undefined) return;
    if (shown === undefined) {
      this.close(false);
      return;
    }
    render(
      h(Card, {
        key: shown.key,
        shown,
        actions: this.#actions,
        onClose: () => this.close(true),
      }),
      this.#place,
    );
  }

  /** Saves text that is still being typed. */
  flush(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLTextAreaElement && this.#place.contains(activeElement))
      activeElement.dispatchEvent(new FocusEvent('blur'));
  }

  /** Closes the card, and saves typed text. */
  close(givesFocus: boolean): void {
    if (this.#key === undefined) return;
    const key = this.#key;
    this.flush();
    this.#key = undefined;
    this.#place.hidden = true;
    render(null, this.#place);
    if (givesFocus) this.#actions.onClosed(key);
  }
}

interface CardProps {
  readonly shown: ShownAnnotation;
  readonly actions: CardActions;
  readonly onClose: () => void;
}

function Card({ shown, actions, onClose }: CardProps): JSX.Element {
  const { annotation } = shown;
  const isFixed = isOthers(annotation.kind);
  const [remark, setRemark] = useState(annotation.remark);
  const shownRemark = useRef(annotation.remark);
  // The comment was changed elsewhere, for example by undo.
  if (shownRemark.current !== annotation.remark) {
    shownRemark.current = annotation.remark;
    setRemark(annotation.remark);
  }
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = (): void => {
    clearTimeout(typed.current);
    const trimmed = remark.trim();
    if (trimmed === annotation.remark) return;
    shownRemark.current = trimmed;
    actions.change(shown, { remark: trimmed });
  };
  // The comment is saved while it is written, because a page that hangs or is closed can't report it anymore.
  useEffect(() => {
    if (remark !== shownRemark.current) typed.current = setTimeout(keep, SAVE_DELAY_MS);
    return () => clearTimeout(typed.current);
  }, [remark]);
  return (
    <div role="dialog" aria-label={kindLabel(annotation.kind)}>
      <div class="row">
        {!isFixed && (
          <ColorPicker colour={annotation.colour} onPick={(colour) => actions.change(shown, { colour })} />
        )}
        <span class="space" />
        {annotation.words !== '' && (
          <>
            <IconButton icon="add" label={t('Add to Notebook')} onPress={() => actions.run('addSelection')} />
            <IconButton
              icon="comment"
              label={t('Ask About This…')}
              onPress={() => actions.run('askAboutSelection')}
            />
          </>
        )}
        <IconButton
          icon={annotation.kind === 'box' ? 'file-media' : 'quote'}
          label={annotation.kind === 'box' ? t('Add Image to Note…') : t('Add to Note…')}
          onPress={() => {
            keep();
            actions.addToNote(shown);
          }}
        />
        {!isFixed && (
          <IconButton
            icon="trash"
            label={t('Remove (Delete)')}
            onPress={() => {
              actions.remove(shown);
              onClose();
            }}
          />
        )}
        <IconButton icon="close" label={t('Close (Escape)')} onPress={onClose} />
      </div>
      {isFixed ? (
        <>
          {annotation.remark !== '' && (
            <p class="said" dir="auto">
              {annotation.remark}
            </p>
          )}
          <p class="fixed">{t('To change this annotation, use the app that created it.')}</p>
        </>
      ) : (
        <textarea
          aria-label={t('Comment')}
          placeholder={t('Add a comment')}
          rows={2}
          value={remark}
          onInput={(event) => setRemark(event.currentTarget.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            keep();
            onClose();
          }}
        />
      )}
    </div>
  );
}

interface ColorPickerProps {
  /** Current color, if any. */
  readonly colour: string | undefined;
  readonly onPick: (colour: string) => void;
}

/** Shows the colors for highlights, each with its key. */
export function ColorPicker({ colour: pickedColor, onPick }: ColorPickerProps): JSX.Element {
  return (
    <span class="color-picker" role="radiogroup" aria-label={t('Color')}>
      {HIGHLIGHT_COLORS.map(({ name, colour }, index) => (
        <button
          key={colour}
          type="button"
          role="radio"
          aria-checked={colour === pickedColor}
          aria-label={colorNames()[name]}
          title={t('{0} ({1})', colorNames()[name], index + 1)}
          onClick={() => onPick(colour)}
        >
          <span class="swatch" style={{ background: colour }} />
        </button>
      ))}
    </span>
  );
}

function colorNames(): Record<(typeof HIGHLIGHT_COLORS)[number]['name'], string> {
  return { yellow: t('Yellow'), green: t('Green'), blue: t('Blue'), pink: t('Pink') };
}
