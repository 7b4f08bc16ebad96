import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { NOTHING_SPENT, type Spent } from '../model/project.ts';
import type { Row } from '../../../index/store/database/database.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Changes of research projects in transactions, and the set of projects changed in this window or another. */
export class ResearchChanges {
  readonly sql: Statements;
  readonly now: () => number;
  readonly #readOnly: boolean;
  readonly #touched = new Set<string>();
  readonly #changed = new Set<string>();
  /** Usage that work in this window has reserved but not settled, by research project. */
  readonly #reserved = new Map<string, Omit<Spent, 'time'>>();
  #revisions: ReadonlyMap<string, number>;
  /** Time at which the next claim on a step expires; undefined if unknown. */
  #nextLoss: number | undefined;

  constructor(sql: Statements, { now = Date.now, readOnly = false }: ChangesOptions = {}) {
    this.sql = sql;
    this.now = () => Math.trunc(now());
    this.#readOnly = readOnly;
    this.#revisions = this.#readRevisions();
  }

  /** Adds to the reserved usage of a research project, which its meter doesn't show. */
  reserve(researchId: string, { dollars, tokens, requests, toolCalls }: Omit<Spent, 'time'>): void {
    const before = this.#reserved.get(researchId) ?? NOTHING_SPENT;
    this.#reserved.set(researchId, {
      dollars: before.dollars + dollars,
      tokens: before.tokens + tokens,
      requests: before.requests + requests,
      toolCalls: before.toolCalls + toolCalls,
    });
  }

  /** Returns the usage of a research project without the amounts that are only reserved in this window. */
  withoutReserved(researchId: string, spent: Spent): Spent {
    const { dollars, tokens, requests, toolCalls } = this.#reserved.get(researchId) ?? NOTHING_SPENT;
    return {
      dollars: Math.max(0, spent.dollars - dollars),
      tokens: Math.max(0, spent.tokens - tokens),
      time: spent.time,
      requests: Math.max(0, spent.requests - requests),
      toolCalls: Math.max(0, spent.toolCalls - toolCalls),
    };
  }

  /**
   * Runs `work` in a transaction, which is rolled back on an error.
   * @throws NotebookError `disk-full`, and all errors of `work`
   */
  transaction<T>(action: () => T): T {
    try {
      const result = this.sql.transaction(action);
      for (const id of this.#touched) this.#changed.add(id);
      return result;
    } finally {
      this.#touched.clear();
      this.#nextLoss = undefined;
    }
  }

  /** Records a change of a research project, within a transaction. @throws NotebookError `not-found` */
  touch(researchId: string): void {
    const changed = this.sql.run(
      'UPDATE researches SET revision = revision + 1, changed_at = max(changed_at, ?) WHERE id = ?',
      this.now(),
      researchId,
    );
    if (changed === 0) throw notFound();
    this.#touched.add(researchId);
  }

  /**
   * Returns the row of a research project.
   * @throws NotebookError `not-found`
   */
  row(researchId: string): Row {
    const row = this.sql.get('SELECT * FROM researches WHERE id = ?', researchId);
    if (row === undefined) throw notFound();
    return row;
  }

  /** Looks for changes of other windows. */
  readOtherWindows(): void {
    const before = this.#revisions;
    this.#revisions = this.#readRevisions();
    for (const [id, revision] of this.#revisions) if (before.get(id) !== revision) this.#changed.add(id);
    for (const id of before.keys()) if (!this.#revisions.has(id)) this.#changed.add(id);
    this.#nextLoss = undefined;
  }

  /** Returns the research projects changed or removed since the last call, as far as this window knows. */
  takeChanged(): readonly string[] {
    if (this.#changed.size === 0) return [];
    // Otherwise changes of this window would be reported again as another window's.
    this.readOtherWindows();
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /**
   * Releases steps whose claims have expired, so that every window sees them as available. Does nothing before the
   * first claim expires.
   */
  releaseExpired(): void {
    if (this.#readOnly) return;
    this.#nextLoss ??= Number(
      this.sql.get('SELECT min(held_until) AS next FROM research_steps WHERE held_until IS NOT NULL')?.[
        'next'
      ] ?? Infinity,
    );
    if (this.now() < this.#nextLoss) return;
    this.transaction(() => {
      const now = this.now();
      const lost = this.sql.all(
        'SELECT DISTINCT research_id AS id FROM research_steps WHERE held_until <= ?',
        now,
      );
      this.sql.run('UPDATE research_steps SET held_until = NULL WHERE held_until <= ?', now);
      for (const { id } of lost) this.touch(String(id));
    });
  }

  #readRevisions(): ReadonlyMap<string, number> {
    const rows = this.sql.all('SELECT id, revision FROM researches');
    return new Map(rows.map(({ id, revision }) => [String(id), Number(revision)]));
  }
}

export interface ChangesOptions {
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
  readonly readOnly?: boolean;
}

function notFound(): NotebookError {
  return new NotebookError('not-found', t('This research project no longer exists. It was deleted.'));
}
