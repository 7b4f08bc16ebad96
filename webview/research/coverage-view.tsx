import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { CoverageView } from '../../src/features/research/protocol.ts';
import { passagesInWords } from '../../src/core/domain/counts.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { CoverageNode, NextLook } from '../../src/features/research/model/coverage.ts';
import { Button, IconButton } from '../shared/toolkit.tsx';
import { ResearchHostContext } from './host.ts';

/** Aspect ratio of the picture. */
const WIDTH = 16;
const HEIGHT = 7;
/** Computes tiles that are as square as possible. */
const placeTiles = treemap<CoverageNode | undefined>().tile(treemapSquarify.ratio(1)).size([WIDTH, HEIGHT]);

/** Maximum number of tiles. One more tile represents the smaller ones. */
const MAX_TILES = 40;

interface CoverageProps {
  readonly hasSources: boolean;
  /** Called with a goal to research. */
  readonly onResearch: (goal: string) => void;
}

/** Shows proposals, and the coverage of the notebook by answers and results so far. */
export function Coverage({ hasSources, onResearch }: CoverageProps): JSX.Element | null {
  const host = useContext(ResearchHostContext);
  const [view, setView] = useState<CoverageView | { readonly problem: string } | 'wanted'>();
  const isShown = view === 'wanted';
  useEffect(() => {
    if (!isShown) return;
    let isCurrent = true;
    host.client.call('coverage', {}).then(
      (got) => isCurrent && setView(got),
      (error: unknown) => isCurrent && setView({ problem: errorMessage(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [host, isShown]);
  if (!hasSources)
    return <p class="quiet">{t('No coverage to show. Add sources to this notebook first.')}</p>;
  if (view === undefined)
    return <Button label={t('Show Source Coverage')} look="secondary" onPress={() => setView('wanted')} />;
  if (view === 'wanted') return <p class="quiet">{t('Calculating coverage…')}</p>;
  if ('problem' in view)
    return (
      <p class="problem" role="alert">
        {view.problem}
      </p>
    );
  return (
    <>
      {view.next.length > 0 && (
        <ul class="next" aria-label={t('Explore next')}>
          {view.next.map((look, index) => (
            <li key={index}>
              <NextView look={look} onResearch={onResearch} />
            </li>
          ))}
        </ul>
      )}
      <Picture view={view} onResearch={onResearch} />
    </>
  );
}

function NextView({
  look,
  onResearch,
}: {
  readonly look: NextLook;
  readonly onResearch: (goal: string) => void;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const { goal, why, place } = look;
  return (
    <>
      <div class="goal" dir="auto">
        {goal}
      </div>
      <div class="quiet" dir="auto">
        {why}
      </div>
      <div class="links">
        <button type="button" class="link" onClick={() => host.start('ask', { question: goal })}>
          {t('Ask')}
        </button>
        <button type="button" class="link" onClick={() => onResearch(goal)}>
          {t('Research')}
        </button>
        {place !== undefined && (
          <button
            type="button"
            class="link"
            onClick={() => host.start('openPlace', { documentId: place.documentId, start: place.start })}
          >
            {t('Open')}
          </button>
        )}
      </div>
    </>
  );
}

/** Shows the notebook as tiles. The size of a tile shows the length of its text, and the fill shows the cited share. */
function Picture({
  view,
  onResearch,
}: {
  readonly view: CoverageView;
  readonly onResearch: (goal: string) => void;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [path, setPath] = useState<readonly CoverageNode[]>([]);
  const current = path.at(-1);
  const nodes = (current?.children ?? view.nodes)
    .filter(({ passages }) => passages > 0)
    .toSorted((a, b) => b.passages - a.passages);
  const shown = nodes.slice(0, MAX_TILES);
  // Only the root of the tiles has no node.
  const root = hierarchy<CoverageNode | undefined>(undefined, (node) => (node === undefined ? shown : []));
  const tiles = placeTiles(root.sum((node) => node?.passages ?? 0)).children ?? [];
  const { documentId, start } = current ?? {};
  return (
    <div class="coverage">
      <div class="trail">
        <IconButton
          icon="arrow-up"
          label={t('Up one level')}
          disabled={current === undefined}
          onPress={() => setPath(path.slice(0, -1))}
        />
        <span class="where" dir="auto">
          {current === undefined ? t('Whole notebook') : path.map(({ title }) => title).join(' › ')}
        </span>
        <span class="quiet">{current === undefined ? '' : sharesInWords(current)}</span>
        {current !== undefined && (
          <span class="links">
            {documentId !== undefined && (
              <button
                type="button"
                class="link"
                onClick={() => host.start('openPlace', { documentId, start: start ?? 0 })}
              >
                {t('Open')}
              </button>
            )}
            <button
              type="button"
              class="link"
              onClick={() => host.start('ask', { question: questionAbout(current) })}
            >
              {t('Ask')}
            </button>
            <button type="button" class="link" onClick={() => onResearch(goalAbout(current))}>
              {t('Research')}
            </button>
          </span>
        )}
      </div>
      {shown.length === 0 ? (
        current !== undefined && <p class="quiet">{t('There’s nothing below this level.')}</p>
      ) : (
        <div class="tiles" role="group" aria-label={t('Coverage')}>
          {tiles.map(({ data: node, x0, y0, x1, y1 }, index) => {
            if (node === undefined) return null;
            const cited = node.passages === 0 ? 0 : node.cited / node.passages;
            return (
              <button
                key={index}
                type="button"
                class="tile"
                title={[node.title, sharesInWords(node)].join('\n')}
                aria-label={[node.title, sharesInWords(node)].join(', ')}
                style={{
                  left: percent(x0 / WIDTH),
                  top: percent(y0 / HEIGHT),
                  width: percent((x1 - x0) / WIDTH),
                  height: percent((y1 - y0) / HEIGHT),
                  '--cited': percent(cited),
                }}
                onClick={() => setPath([...path, node])}
              >
                <span dir="auto">{node.title}</span>
              </button>
            );
          })}
        </div>
      )}
      {nodes.length > shown.length && (
        <p class="quiet">
          {t('Smaller items not shown: {0}', (nodes.length - shown.length).toLocaleString())}
        </p>
      )}
      {view.omitted > 0 && <p class="quiet">{t('Sections not shown: {0}', view.omitted.toLocaleString())}</p>}
    </div>
  );
}

function questionAbout({ title }: CoverageNode): string {
  return t('What does “{0}” say?', title);
}

function goalAbout({ title }: CoverageNode): string {
  return t('Summarize what “{0}” says, including its figures.', title);
}

function sharesInWords({ passages, cited }: CoverageNode): string {
  return t('{0} of {1} cited', cited.toLocaleString(), passagesInWords(passages));
}

function percent(share: number): string {
  return `${String(share * 100)}%`;
}
