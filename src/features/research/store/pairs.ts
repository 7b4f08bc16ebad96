import { createHash } from 'node:crypto';
import { ALL_SOURCES, SOURCE_PREFIX, type PlanStep } from '../model/project.ts';
import { isPathIncluded, rulesBySource } from '../../../core/domain/included-paths.ts';
import type { Scope } from '../../../core/domain/scope.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/*
 * Two steps are a pair if they do the same with the same inputs: then one reuses the result of the other. Inputs are
 * compared by content and not by name, so a changed source or a different result makes a step different.
 */

/** Project data that affects the hash of a step. */
export interface PairedIn {
  readonly scope: Scope | undefined;
  readonly keepsUnsupported: boolean;
  /** Texts of the existing results, by ID. */
  readonly productTexts: ReadonlyMap<string, string>;
}

/** Hasher of steps: those that do the same with the same inputs have equal hashes. */
export class Pairs {
  readonly #sql: Statements;
  /** Revision of the documents for which the cached digests are valid. */
  #revision = -1;
  readonly #digests = new Map<string, string>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the hash of a step whose inputs all exist. */
  hashStep(step: PlanStep, { scope, keepsUnsupported, productTexts }: PairedIn): string {
    const materials = step.materials.map((material) => {
      if (material === ALL_SOURCES) return `sources ${this.#hashScope(scope)}`;
      if (material.startsWith(SOURCE_PREFIX)) {
        const sourceIds = [material.slice(SOURCE_PREFIX.length)];
        return `sources ${this.#hashScope({ kind: 'sources', sourceIds, mentioned: false })}`;
      }
      const text = productTexts.get(material);
      return text === undefined ? `unknown ${material}` : `product ${hash(text)}`;
    });
    return hash(
      JSON.stringify([
        step.action,
        normalTarget(step.target),
        step.quantity,
        keepsUnsupported,
        ...(step.columns === undefined ? [] : [step.columns]),
        [...new Set(materials)].sort(),
      ]),
    );
  }

  #hashScope(scope: Scope | undefined): string {
    const revision = this.#sql.number('SELECT max(revision) AS revision FROM changes');
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#digests.clear();
    }
    const name = JSON.stringify(
      scope?.kind === 'file' ? [scope.uri] : [scope?.sourceIds.toSorted(), scope?.paths],
    );
    let digest = this.#digests.get(name);
    if (digest === undefined) {
      digest = this.#readDigest(scope);
      this.#digests.set(name, digest);
    }
    return digest;
  }

  /**
   * Returns a digest of the documents' content, regardless of their order and names. A document without a hash differs
   * from all others.
   */
  #readDigest(scope: Scope | undefined): string {
    const select = "SELECT iif(hash = '', 'document ' || id, hash) AS hash, source_id, key FROM documents";
    const rules = rulesBySource(scope?.kind === 'sources' ? (scope.paths ?? []) : []);
    const rows =
      scope === undefined
        ? this.#sql.all(select)
        : scope.kind === 'file'
          ? this.#sql.all(`${select} WHERE uri = ?`, scope.uri)
          : this.#sql.all(
              `${select} WHERE source_id IN (SELECT value FROM json_each(?))`,
              JSON.stringify(scope.sourceIds),
            );
    return hash(
      rows
        .filter((row) => isPathIncluded(rules.get(String(row['source_id'])), String(row['key'])))
        .map((row) => String(row['hash']))
        .sort()
        .join('\n'),
    );
  }
}

/** Normalizes `Find  the dose.` to `find the dose`. Don't normalize more, as the hashes are stored. */
function normalTarget(target: string): string {
  return target
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/[.!?。！？]$/u, '')
    .trim();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
