import type { JSX } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ContextSelection } from '../../src/core/domain/answer.ts';
import { formatLocator } from '../../src/core/domain/locator.ts';
import type { QuestionPart } from '../../src/core/domain/question-parts.ts';
import { CodeBlock, CodeFolds, CodeHead } from '../cited/code-block.tsx';
import { codeToHast } from '../shared/code-colors.ts';
import { renderTree } from '../shared/render.tsx';
import { HostContext } from './host.ts';

interface ContextBlockProps {
  readonly turnId: string;
  readonly part: QuestionPart;
  /** Location of the selected text, if known. */
  readonly selection: ContextSelection | undefined;
}

const blocks = { pre: CodeBlock };

/** Shows code or a quotation in a question, with a link to its origin. */
export function ContextBlock({ turnId, part, selection }: ContextBlockProps): JSX.Element {
  const link = selection && <SelectionLink turnId={turnId} selection={selection} />;
  const { kind, text } = part;
  const languageId = kind === 'code' ? part.languageId : undefined;
  const code = useMemo(
    () => (kind === 'code' ? renderTree(codeToHast(text, languageId), blocks) : undefined),
    [kind, text, languageId],
  );
  return (
    <div class="question-context markdown">
      {code === undefined ? (
        <figure>
          <blockquote dir="auto">{text}</blockquote>
          {link !== undefined && <figcaption>{link}</figcaption>}
        </figure>
      ) : (
        <CodeFolds.Provider value={true}>
          <CodeHead.Provider value={link}>{code}</CodeHead.Provider>
        </CodeFolds.Provider>
      )}
    </div>
  );
}

function SelectionLink({
  turnId,
  selection: { title, locator },
}: Required<Pick<ContextBlockProps, 'turnId'>> & { readonly selection: ContextSelection }): JSX.Element {
  const host = useContext(HostContext);
  const place = formatLocator(locator, []);
  const name = place === '' ? title : `${title}, ${place}`;
  return (
    <button
      type="button"
      class="link selected-from"
      aria-label={name}
      title={t('Open {0}', name)}
      onClick={() => host.start('openSelection', { turnId })}
    >
      <span class="title">{title}</span>
      <span>{name.slice(title.length)}</span>
    </button>
  );
}
