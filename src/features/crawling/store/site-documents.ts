import type { PassageSettings } from '../../../core/domain/settings.ts';
import type { FetchedDocument, PageOutcome, SitePageState } from '../../../core/domain/site.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import type { Split } from '../../../index/store/sources/document-store.ts';
import type { Store } from '../../../index/store/store.ts';

/** SQL list of the states of pages that have a document. */
export const STATES_WITH_DOCUMENT = `('kept', 'unchanged')`;

/** Store for the pages of a site, without duplicate texts. It runs within the caller's transaction. */
export class SiteDocuments {
  readonly #sql: Statements;
  readonly #store: Store;

  constructor(sql: Statements, store: Store) {
    this.#sql = sql;
    this.#store = store;
  }

  /** Stores the outcome of a page and returns the state of its address. */
  settle(
    sourceId: string,
    address: string,
    outcome: PageOutcome,
    split: Split,
    settings: PassageSettings,
  ): SitePageState {
    switch (outcome.kind) {
      case 'unchanged':
        return this.#become(sourceId, address, 'unchanged', '');
      case 'moved':
        this.#removeDocument(sourceId, address);
        return this.#become(sourceId, address, 'moved', outcome.to);
      case 'nothing':
        if (outcome.isRemoved) this.#removeDocument(sourceId, address);
        return this.#become(sourceId, address, outcome.state, outcome.reason);
      case 'read':
        return this.#keep(sourceId, address, outcome.fetched, split, settings);
    }
  }

  #keep(
    sourceId: string,
    address: string,
    fetched: FetchedDocument,
    split: Split,
    settings: PassageSettings,
  ): SitePageState {
    const { version, textHash, canonical, document, byteLength } = fetched;
    const before = this.#sql.get(
      'SELECT text_hash FROM site_pages WHERE source_id = ? AND address = ?',
      sourceId,
      address,
    );
    this.#sql.run(
      `UPDATE site_pages SET etag = ?, last_modified = ?, hash = ?, text_hash = ?, canonical = ?
       WHERE source_id = ? AND address = ?`,
      version.etag ?? null,
      version.lastModified ?? null,
      version.hash,
      textHash,
      canonical ?? null,
      sourceId,
      address,
    );
    const title = document.title ?? '';
    const proper = this.#properAddress(sourceId, address, fetched, title);
    if (proper !== undefined) {
      this.#removeDocument(sourceId, address);
      return this.#become(sourceId, address, 'duplicate', proper);
    }
    for (const other of this.#lesserCopies(sourceId, address, textHash, title)) {
      this.#removeDocument(sourceId, other);
      this.#become(sourceId, other, 'duplicate', address);
    }
    const isSame = before?.['text_hash'] === textHash && this.#findTitle(sourceId, address) === title;
    if (isSame) return this.#become(sourceId, address, 'unchanged', '');
    this.#store.documents.writeDocument(
      sourceId,
      {
        key: address,
        uri: address,
        hash: version.hash,
        size: byteLength,
        modifiedAt: Date.now(),
        document,
      },
      split,
      settings,
    );
    return this.#become(sourceId, address, 'kept', '');
  }

  /**
   * Returns the stored address that a page duplicates: one with the same text, or its canonical address with the same
   * title.
   */
  #properAddress(
    sourceId: string,
    address: string,
    { textHash, canonical }: FetchedDocument,
    title: string,
  ): string | undefined {
    const same = this.#sql
      .all(
        `SELECT address, canonical FROM site_pages WHERE source_id = ? AND text_hash = ? AND address <> ?
         AND (state IN ${STATES_WITH_DOCUMENT} OR (state = 'waiting' AND was IN ${STATES_WITH_DOCUMENT})) ORDER BY rank, rowid`,
        sourceId,
        textHash,
        address,
      )
      .find((row) => row['canonical'] !== address);
    if (same !== undefined) return String(same['address']);
    if (canonical === undefined || canonical === address) return undefined;
    const isStored = this.#sql.get(
      `SELECT 1 FROM site_pages WHERE source_id = ? AND address = ? AND state IN ${STATES_WITH_DOCUMENT}`,
      sourceId,
      canonical,
    );
    return isStored && this.#findTitle(sourceId, canonical) === title ? canonical : undefined;
  }

  /** Returns the stored addresses whose canonical address is this one and that have the same text or title. */
  #lesserCopies(sourceId: string, address: string, textHash: string, title: string): string[] {
    return this.#sql
      .all(
        `SELECT address, text_hash FROM site_pages
         WHERE source_id = ? AND canonical = ? AND address <> ? AND state IN ${STATES_WITH_DOCUMENT}`,
        sourceId,
        address,
        address,
      )
      .filter(
        (row) => row['text_hash'] === textHash || this.#findTitle(sourceId, String(row['address'])) === title,
      )
      .map((row) => String(row['address']));
  }

  #findTitle(sourceId: string, address: string): string | undefined {
    const row = this.#sql.get(
      'SELECT title FROM documents WHERE source_id = ? AND key = ?',
      sourceId,
      address,
    );
    return row && String(row['title']);
  }

  #removeDocument(sourceId: string, address: string): void {
    this.#sql.run('DELETE FROM documents WHERE source_id = ? AND key = ?', sourceId, address);
  }

  #become(sourceId: string, address: string, state: SitePageState, reason: string): SitePageState {
    this.#sql.run(
      'UPDATE site_pages SET state = ?, was = NULL, reason = ? WHERE source_id = ? AND address = ?',
      state,
      reason,
      sourceId,
      address,
    );
    return state;
  }
}
