import { workerData } from 'node:worker_threads';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import { portOfParent } from '../../messages/node-port.ts';
import type { Handlers } from '../../messages/rpc.ts';
import { connect } from '../../messages/rpc.ts';
import { takeTranslation } from '../../messages/translation.ts';
import type { IndexApi, IndexEvents } from './api.ts';
import type { LibraryApi } from '../library/library-api.ts';
import { libraryHandlers } from '../library/library-handlers.ts';
import { MendedNotebook } from './mended-notebook.ts';
import type { NotebookIndex } from './notebook-index.ts';

/** How often another window's changes are looked for, in milliseconds. */
const FOLLOW_INTERVAL = 1_000;

takeTranslation(workerData);

let opened: MendedNotebook | undefined;
let following: NodeJS.Timeout | undefined;

function notebook(): NotebookIndex {
  if (opened === undefined) throw new NotebookError('internal', t('The notebook is not open.'));
  return opened.index;
}

/** Runs a change of the store alone, then tells the window. */
function changing<T>(change: () => T): T {
  const result = change();
  channel.remote.notify('changed', {});
  return result;
}

/** Awaits a change of store and index, then tells the window. */
async function changed<T>(change: Promise<T>): Promise<T> {
  const result = await change;
  channel.remote.notify('changed', {});
  return result;
}

/** Handlers whose notebook is mended where they find it damaged. */
function mending(handlers: Handlers<Omit<IndexApi, 'close' | 'open'>>): typeof handlers {
  const mended = Object.entries(handlers).map(([method, handle]) => {
    const run = handle as (params: unknown, context: unknown) => unknown;
    const handler = (params: unknown, context: unknown): unknown =>
      opened === undefined ? run(params, context) : opened.run(() => run(params, context));
    return [method, handler];
  });
  return Object.fromEntries(mended) as typeof handlers;
}

const channel = connect<IndexApi & LibraryApi, IndexEvents>(portOfParent(), {
  ...libraryHandlers,
  async open({ directory, passages, access }) {
    const events = {
      changed: () => {
        channel.remote.notify('changed', {});
      },
      indexing: (done: number, total: number) => {
        channel.remote.notify('indexing', { done, total });
      },
      resplitting: (done: number, total: number) => {
        channel.remote.notify('resplitting', { done, total });
      },
    };
    const { notebook: made, result } = await MendedNotebook.open(
      [directory, passages, events, access],
      (anew) => {
        channel.remote.notify('reopened', anew);
      },
    );
    opened = made;
    following = setInterval(() => {
      // What fails is tried again, and said by what is asked.
      made.run(() => made.index.followOthers()).catch(() => undefined);
    }, FOLLOW_INTERVAL);
    return result;
  },
  ...mending({
    setPassageSettings(settings) {
      opened?.setPassageSettings(settings);
      return null;
    },
    sources: () => notebook().store.sources(),
    documents: ({ sourceId }) => notebook().store.documents.ofSource(sourceId),
    documentsAt: ({ uri }) => notebook().store.documents.at(uri),
    stamps: ({ sourceId }) => notebook().store.documents.stamps(sourceId),
    addSource: ({ title, origin, document }) => changed(notebook().addSource(title, origin, document)),
    renameSource({ sourceId, title }) {
      changing(() => {
        notebook().store.renameSource(sourceId, title);
      });
      return null;
    },
    allowPrivateHosts({ sourceId, hosts }) {
      changing(() => {
        notebook().store.allowPrivateHosts(sourceId, hosts);
      });
      return null;
    },
    async relocateSource({ sourceId, title, uri, within }) {
      await changed(notebook().relocateSource(sourceId, title, uri, within));
      return null;
    },
    setSourceState({ sourceId, state }) {
      changing(() => {
        notebook().store.setSourceState(sourceId, state);
      });
      return null;
    },
    finishSource({ sourceId, skipped, passedOver, state }) {
      changing(() => {
        notebook().store.finishSource(sourceId, state, skipped, passedOver);
      });
      return null;
    },
    passedOver: ({ sourceId }) => notebook().store.passedOver(sourceId),
    claimSource: ({ sourceId, owner }) => notebook().store.claimSource(sourceId, owner),
    releaseSource({ sourceId, owner }) {
      changing(() => {
        notebook().store.releaseSource(sourceId, owner);
      });
      return null;
    },
    async removeSources({ sourceIds }) {
      await changed(notebook().removeSources(sourceIds));
      return null;
    },
    putDocument: ({ sourceId, input }) => notebook().putDocument(sourceId, input),
    touchDocument({ documentId, size, modifiedAt }) {
      notebook().store.documents.touchDocument(documentId, size, modifiedAt);
      return null;
    },
    async moveDocument(moved) {
      await changed(notebook().moveDocument(moved));
      return null;
    },
    async removeDocuments({ documentIds }) {
      await changed(notebook().removeDocuments(documentIds));
      return null;
    },
    beginCrawl({ sourceId, starts }) {
      const { sitePages } = notebook();
      sitePages.begin(sourceId, starts);
      return sitePages.counts(sourceId);
    },
    crawlStarts: ({ sourceId }) => notebook().sitePages.starts(sourceId),
    waitingSitePages: ({ sourceId, count }) => notebook().sitePages.waiting(sourceId, count),
    addSitePages: ({ sourceId, found }) => notebook().sitePages.add(sourceId, found),
    settleSitePage: ({ sourceId, page }) => notebook().settleSitePage(sourceId, page),
    async finishCrawl({ sourceId, stopped }) {
      await changed(notebook().finishCrawl(sourceId, stopped));
      return null;
    },
    async refitSite({ sourceId, rules, pages }) {
      await changed(notebook().refitSite(sourceId, rules, pages));
      return null;
    },
    crawlRecord: ({ sourceId }) => notebook().sitePages.record(sourceId),
    search: ({ question, limit, vector, within, without }) =>
      notebook().search(question, limit, vector, within, without),
    gather: (gathering) => notebook().gather(gathering),
    places: (search) => notebook().places(search),
    passagesAt: ({ places }) => notebook().passagesAt(places),
    document({ documentId }) {
      const { entry, format, languageId, text } = notebook().cited.document(documentId);
      return { entry, format, languageId, text };
    },
    overview: ({ about, limit, within }) => notebook().overview(about, limit, within),
    outlines: ({ documentIds }) => notebook().outlines(documentIds),
    find: (words) => notebook().cited.find(words),
    surroundings: (words) => notebook().cited.surroundings(words),
    cite: ({ requests }) => notebook().cited.cite(requests),
    activeEmbeddings: () => notebook().embeddings.active(),
    embeddings: ({ model }) => ({
      active: notebook().embeddings.active(),
      missing: notebook().embeddings.missing(model),
    }),
    nextEmbeddings: ({ model, owner }) => notebook().nextEmbeddings(model, owner),
    async putEmbeddings({ setId, vectors }) {
      await notebook().putEmbeddings(setId, vectors);
      return null;
    },
    conversation({ id }) {
      const { conversations } = notebook();
      const asked = id === undefined ? undefined : conversations.open(id);
      return asked ?? conversations.openNewest();
    },
    earlierTurns: ({ conversationId, before }) => notebook().conversations.turns(conversationId, before),
    allTurns: ({ conversationId }) => notebook().conversations.allTurns(conversationId),
    conversations: ({ words }) => notebook().conversations.list(words),
    renameConversation({ conversationId, title }) {
      notebook().conversations.rename(conversationId, title);
      return null;
    },
    removeConversation({ conversationId }) {
      notebook().conversations.remove(conversationId);
      return null;
    },
    setDraft({ conversationId, draft }) {
      notebook().conversations.setDraft(conversationId, draft);
      return null;
    },
    newConversation: () => ({ id: notebook().conversations.begin() }),
    removeTurn({ turnId }) {
      notebook().conversations.removeTurn(turnId);
      return null;
    },
    putTurn({ conversationId, turn }) {
      notebook().conversations.putTurn(conversationId, turn);
      return null;
    },
    pickedModels: ({ conversationId }) => notebook().models.picked(conversationId),
    pickModel({ choice, conversationId }) {
      changing(() => {
        notebook().models.pick(choice, conversationId);
      });
      return null;
    },
    addUsage(entry) {
      notebook().models.addUsage(entry);
      return null;
    },
    usage: () => notebook().models.usage(),
    notes: () => notebook().notes.list(),
    note: ({ title }) => notebook().notes.open(title),
    writeNote({ title, text, create, overwrite }) {
      changing(() => {
        notebook().notes.write(title, text, { create, overwrite });
      });
      return null;
    },
    addNote: (note) => changing(() => notebook().notes.add(note)),
    renameNote({ from, to, overwrite }) {
      changing(() => {
        notebook().notes.rename(from, to, overwrite);
      });
      return null;
    },
    removeNote({ title }) {
      changing(() => {
        notebook().notes.remove(title);
      });
      return null;
    },
    keepCitations({ title, citations }) {
      notebook().notes.keepCitations(title, citations);
      return null;
    },
    noteCitations: ({ ids }) => notebook().notes.citations(ids),
    statistics: () => notebook().statistics(),
  }),
  async close() {
    clearInterval(following);
    await opened?.close();
    opened = undefined;
    return null;
  },
});
