import type { Element, ElementContent, Root, RootContent } from 'hast';
import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import { GAP_END, GAP_START, markedGaps } from '../../src/core/language/cloze.ts';
import type { CardText } from '../../src/features/flashcards/model.ts';
import { colorCodeBlocks } from '../shared/code-colors.ts';
import { renderTree } from '../shared/render.tsx';

/** Shows Markdown like answers, with formulas and syntax highlighting. */
export function CardWords({ text }: { readonly text: string }): JSX.Element {
  const shown = useMemo(() => renderTree(colorCodeBlocks(markdownToHast(text))), [text]);
  return (
    <div class="markdown" dir="auto">
      {shown}
    </div>
  );
}

/** Shows the front of a card. The gaps of a cloze card are open until they are `filled`. */
export function CardFront({
  card: { kind, front },
  filled,
}: {
  readonly card: CardText;
  readonly filled: boolean;
}): JSX.Element {
  const shown = useMemo(
    () =>
      kind === 'cloze'
        ? renderTree(withGaps(colorCodeBlocks(markdownToHast(markedGaps(front))), filled))
        : undefined,
    [kind, front, filled],
  );
  return shown === undefined ? (
    <CardWords text={front} />
  ) : (
    <div class="markdown" dir="auto">
      {shown}
    </div>
  );
}

/** Returns a tree with gaps in place of its marks: open, or filled with their words. */
function withGaps(tree: Root, filled: boolean): Root {
  let isGap = false;
  const splitGaps = (text: string): ElementContent[] =>
    text.split(/([\uE000\uE001])/).flatMap((part): ElementContent[] => {
      if (part === GAP_START) {
        isGap = true;
        return filled ? [] : [gap([{ type: 'text', value: '[…]' }])];
      }
      if (part === GAP_END) isGap = false;
      if (part === GAP_END || part === '') return [];
      const words: ElementContent = { type: 'text', value: part };
      if (!isGap) return [words];
      return filled ? [gap([words])] : [];
    });
  const within = (children: readonly (ElementContent | RootContent)[]): ElementContent[] =>
    children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return splitGaps(child.value);
      if (child.type !== 'element') return [];
      if (child.tagName === 'formula') return [formulaWithGaps(child, filled)];
      return [{ ...child, children: within(child.children) }];
    });
  return { ...tree, children: within(tree.children) };
}

function gap(children: ElementContent[]): Element {
  return { type: 'element', tagName: 'strong', properties: { className: ['gap'] }, children };
}

function formulaWithGaps(formula: Element, filled: boolean): Element {
  const tex = formula.properties['tex'];
  if (typeof tex !== 'string' || !tex.includes(GAP_START)) return formula;
  const shown = tex.replaceAll(/\uE000([^\uE000\uE001]*)\uE001/g, filled ? '{$1}' : '\\boxed{?}');
  return { ...formula, properties: { ...formula.properties, tex: shown } };
}

/** Says that no model has checked an answer, like the mark of a statement in the chat. */
export function UncheckedMark(): JSX.Element {
  return (
    <p class="notice unchecked">
      <span class="codicon codicon-question" aria-hidden="true" /> {t('Not fact-checked.')}
    </p>
  );
}

/** Shows the location of a card's words. A click opens them, to the side with Alt. */
export function SourceLink({
  title,
  place,
  onOpen,
}: {
  readonly title: string;
  readonly place: string;
  readonly onOpen: (beside: boolean) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="link source"
      title={t('Open the cited text (O). Hold Alt to open it to the side.')}
      onClick={(event) => onOpen(event.altKey)}
    >
      <span class="codicon codicon-quote" aria-hidden="true" />
      <span dir="auto">{[title, place].filter((part) => part !== '').join(', ')}</span>
    </button>
  );
}
