import { workerData } from 'node:worker_threads';
import { t } from '@vscode/l10n';
import { featureHandlers, reportFeatureChanges } from '../../features/store.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { portOfParent } from '../../core/rpc/node-port.ts';
import { connect, type Handlers } from '../../core/rpc/rpc.ts';
import { Throttle } from '../../core/rpc/throttle.ts';
import { takeTranslation } from '../../core/rpc/translation.ts';
import type { IndexApi, IndexEvents } from './api.ts';
import type { LibraryApi } from '../library/library-api.ts';
import { libraryHandlers } from '../library/library-handlers.ts';
import { citingHandlers } from '../documents/cited-documents.ts';
import { searchHandlers } from '../search/passage-search.ts';
import { embeddingsHandlers } from '../search/vectors/embeddings.ts';
import { modelsHandlers } from '../store/models.ts';
import { referencesHandlers } from '../store/sources/references.ts';
import { sourcesHandlers } from '../store/store.ts';
import { globalSearchHandlers } from './search-notebooks.ts';
import { SelfRepairingNotebook } from './self-repairing-notebook.ts';
import { FOLLOW_INTERVAL } from './index-follower.ts';
import type { NotebookIndex } from './notebook-index.ts';

takeTranslation(workerData);

let opened: SelfRepairingNotebook | undefined;
let following: NodeJS.Timeout | undefined;

function notebook(): NotebookIndex {
  if (opened === undefined)
    throw new NotebookError('internal', t('The notebook isn’t open. Reload the window.'));
  return opened.index;
}

/** Minimum interval between reports that the notebook changed, in milliseconds. */
const CHANGED_INTERVAL_MS = 50;

/** Reports that the notebook changed. Reading a folder changes it a thousand times a second. */
const changedReport = new Throttle(() => channel.remote.notify('changed', {}), CHANGED_INTERVAL_MS);

/** Reports changes from this window or others, of the notebook and of the features' entities. */
function reportChanges(): void {
  if (opened?.index.takeChanged()) changedReport.ask();
  if (opened !== undefined) reportFeatureChanges(opened.index.features, channel.remote);
}

/** Wraps handlers so that they repair a damaged notebook and report changes. */
function repairAndReport(handlers: Handlers<Omit<IndexApi, 'close' | 'open'>>): typeof handlers {
  const wrapped = Object.entries(handlers).map(([method, handle]) => {
    const run = handle as (params: unknown, context: unknown) => unknown;
    const handler = async (params: unknown, context: unknown): Promise<unknown> => {
      const result = await (opened?.run(() => run(params, context)) ?? run(params, context));
      reportChanges();
      return result;
    };
    return [method, handler];
  });
  return Object.fromEntries(wrapped) as typeof handlers;
}

const channel = connect<IndexApi & LibraryApi, IndexEvents>(portOfParent(), {
  ...libraryHandlers,
  async open({ directory, settings, access }) {
    const events = {
      indexing: (done: number, total: number) => {
        channel.remote.notify('indexing', { done, total });
      },
      resplitting: (done: number, total: number) => {
        channel.remote.notify('resplitting', { done, total });
      },
    };
    const { notebook: openedNotebook, result } = await SelfRepairingNotebook.open(
      [directory, settings, events, access],
      (anew) => channel.remote.notify('reopened', anew),
    );
    opened = openedNotebook;
    following = setInterval(() => {
      openedNotebook
        .run(() => openedNotebook.index.followOthers())
        .then(reportChanges)
        // The next interval tries again. Requests report the error.
        .catch(() => undefined);
    }, FOLLOW_INTERVAL);
    return result;
  },
  ...repairAndReport({
    setIndexSettings(settings) {
      opened?.setIndexSettings(settings);
    },
    statistics: () => notebook().statistics(),
    followOthers: () => notebook().followOthers(),
    ...sourcesHandlers(notebook),
    ...searchHandlers(notebook),
    ...embeddingsHandlers(notebook),
    ...citingHandlers(notebook),
    ...referencesHandlers(notebook),
    ...globalSearchHandlers(),
    ...modelsHandlers(notebook),
    ...featureHandlers(notebook),
  }),
  async close() {
    clearInterval(following);
    changedReport.dispose();
    await opened?.close();
    opened = undefined;
  },
});
