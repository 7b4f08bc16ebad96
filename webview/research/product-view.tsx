import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { Citation, Statement } from '../../src/core/domain/answer.ts';
import type { Product } from '../../src/features/research/model/project.ts';
import { AnswerContext } from '../cited/citation-chips.tsx';
import { CorrectionView } from '../cited/correction-view.tsx';
import { WrittenAnswer } from '../cited/written-answer.tsx';
import { ResearchHostContext } from './host.ts';
import { CheckNotes } from './check-notes.tsx';
import { makerInWords, productCheckInWords } from './words.ts';

/** Loads a product from the board, and again when it changes; undefined until it's loaded for the first time. */
function useProduct(
  productId: string,
  createdAt: number | undefined,
): Product | { readonly problem: string } | undefined {
  const host = useContext(ResearchHostContext);
  const [got, setGot] = useState<{
    readonly productId: string;
    readonly product: Product | { problem: string } | undefined;
  }>();
  useEffect(() => {
    if (createdAt === undefined) return;
    let isCurrent = true;
    host.client.call('product', { productId }).then(
      (product) => isCurrent && setGot({ productId, product }),
      (error: unknown) => isCurrent && setGot({ productId, product: { problem: errorMessage(error) } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [host, productId, createdAt]);
  // A changed product replaces the earlier one without a gap, so that the page doesn't jump.
  return got?.productId === productId ? got.product : undefined;
}

interface CitedTextProps {
  /** ID of the text in requests for its citations. */
  readonly textId: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
  /** Corrects a statement by its index; undefined if the text can't be corrected here. */
  readonly correct?: ((statement: number) => void) | undefined;
}

/** Shows Markdown with a chip after each statement with citations. */
export function CitedText({ textId, text, statements, citations, correct }: CitedTextProps): JSX.Element {
  const context = useMemo(
    () => ({ turnId: textId, citations, isChecking: false, correct }),
    [textId, citations, correct],
  );
  return (
    <AnswerContext.Provider value={context}>
      <article class="answer markdown">
        <WrittenAnswer
          answer={{ kind: 'written', model: '', text, statements, citations }}
          isGrowing={false}
        />
      </article>
    </AnswerContext.Provider>
  );
}

/** Shows a product with its fact check, its maker, and the removed sentences. */
export function ProductView({
  productId,
  createdAt,
}: {
  readonly productId: string;
  readonly createdAt: number | undefined;
}): JSX.Element | null {
  const { client } = useContext(ResearchHostContext);
  const product = useProduct(productId, createdAt);
  const [corrected, setCorrected] = useState<number>();
  if (createdAt === undefined) return null;
  if (product === undefined) return <p class="quiet">{t('Reading…')}</p>;
  if ('problem' in product)
    return (
      <p class="problem" role="alert">
        {product.problem}
      </p>
    );
  const { text, statements, citations, check, createdBy } = product;
  return (
    <div class="product">
      <CitedText
        textId={product.id}
        text={text}
        statements={statements}
        citations={citations}
        correct={setCorrected}
      />
      <CorrectionView
        key={productId}
        client={client}
        turnId={productId}
        statement={corrected}
        isCorrected={product.beforeCorrection !== undefined}
        onClose={() => setCorrected(undefined)}
      />
      <p class="quiet">
        {[makerInWords(createdBy), productCheckInWords(product)]
          .filter((part) => part !== undefined)
          .join(' · ')}
        {' · '}
        <time dateTime={new Date(product.createdAt).toISOString()}>
          {new Date(product.createdAt).toLocaleString()}
        </time>
      </p>
      <CheckNotes check={check} />
      {check.cut.length > 0 && (
        <details class="cut">
          <summary>
            {check.cut.length === 1
              ? t('1 statement removed because the sources don’t fully support it')
              : t(
                  '{0} statements removed because the sources don’t fully support them',
                  check.cut.length.toLocaleString(),
                )}
          </summary>
          <ul>
            {check.cut.map((sentence, index) => (
              <li key={index} dir="auto">
                {sentence}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
