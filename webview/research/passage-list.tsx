import type { JSX } from 'preact';
import { t } from '@vscode/l10n';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import type { PassageToCite } from '../../src/features/research/protocol.ts';
import { annotate } from '../shared/annotate.ts';
import { codeToHast, colorCodeBlocks } from '../shared/code-colors.ts';
import { renderTree } from '../shared/render.tsx';

/** Shows passages, each with a button to cite it. */
export function PassageList({
  passages,
  onCite,
}: {
  readonly passages: readonly PassageToCite[];
  readonly onCite: (passage: PassageToCite) => void;
}): JSX.Element | null {
  if (passages.length === 0) return null;
  return (
    <ul class="plain-list passages" aria-label={t('Passages')}>
      {passages.map((passage) => (
        <li key={`${String(passage.picked.documentId)} ${String(passage.picked.span.start)}`}>
          <div class="source">
            <span class="title" dir="auto">
              {passage.title}
            </span>
            <span class="place quiet" dir="auto">
              {passage.place}
            </span>
            <button type="button" class="link" onClick={() => onCite(passage)}>
              {t('Cite')}
            </button>
          </div>
          <div class={`passage markdown ${passage.format}`} dir="auto">
            <PassageText passage={passage} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function PassageText({ passage }: { readonly passage: PassageToCite }): JSX.Element {
  const { text, format, languageId, marks } = passage;
  const annotations = marks.map((mark) => ({
    ...mark,
    wrap: { tagName: 'mark', properties: {} },
    after: undefined,
  }));
  const tree = format === 'code' ? codeToHast(text, languageId) : colorCodeBlocks(markdownToHast(text));
  return renderTree(annotate(tree, text, annotations));
}
