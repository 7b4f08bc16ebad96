import '@vscode/codicons/dist/codicon.css';
import '../shared/base.css';
import './maps.css';
import { render } from 'preact';
import type {
  MapHostApi,
  MapPageApi,
  MapView,
  StoredMapState,
} from '../../src/features/artifacts/protocol.ts';
import type { SourceDrift } from '../../src/core/domain/artifact.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { connectHost } from '../shared/port.ts';
import { renderProblem } from '../shared/problem.tsx';
import { titlePath, TopicMap } from './topic-map.tsx';

const root = document.querySelector('#root') ?? document.body;
let view: MapView | undefined;
let difference: SourceDrift | undefined;
let fresh: ReadonlySet<string> = new Set();
let removedTitles: readonly string[] = [];

const { remote, memory } = connectHost<MapPageApi, MapHostApi, StoredMapState>({
  changed(params) {
    difference = params.difference;
    show();
  },
});

async function updateFromSources(): Promise<void> {
  const before = view?.map.nodes ?? [];
  view = await remote.call('updateFromSources', {});
  difference = undefined;
  const { nodes } = view.map;
  const known = new Set(before.map((_, index) => titlePath(before, index)));
  const paths = nodes.map((_, index) => titlePath(nodes, index));
  const isNow = new Set(paths);
  fresh = new Set(paths.filter((path) => !known.has(path)));
  removedTitles = before.flatMap(({ title }, index) => (isNow.has(titlePath(before, index)) ? [] : [title]));
  show();
}

function problem(error: unknown): void {
  renderProblem(error, root);
}

function show(): void {
  if (view === undefined) return;
  render(
    <TopicMap
      view={view}
      difference={difference}
      fresh={fresh}
      removedTitles={removedTitles}
      onOpen={(place, beside) => ignoreFailure(remote.call('open', { place, beside }))}
      onUpdateFromSources={() => void updateFromSources().catch(problem)}
      onSaveSvg={(svg) => ignoreFailure(remote.call('saveSvg', { svg }))}
      onOpenMarkdown={() => ignoreFailure(remote.call('openMarkdown', {}))}
    />,
    root,
  );
}

try {
  view = await remote.call('ready', {});
  const { kind, sourceIds, notebook, title } = view;
  memory.keep({ thing: kind, sourceIds, notebook });
  document.title = title;
  show();
} catch (error) {
  problem(error);
}
