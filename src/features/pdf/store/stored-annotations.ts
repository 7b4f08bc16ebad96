import type { Handlers } from '../../../core/rpc/rpc.ts';
import type { AnnotationsByKey } from '../../../core/domain/annotation.ts';
import { annotationsByKey } from '../../../core/domain/stored-annotations.ts';
import type { AnnotationsApi } from './annotations-api.ts';
import { readJson } from '../../../index/store/database/stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Annotations of files that can't store them, by the files' URIs, in a notebook's database. */
export class StoredAnnotations {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the annotations of the file at an address. */
  of(uri: string): AnnotationsByKey {
    const row = this.#sql.get('SELECT annotations FROM file_annotations WHERE uri = ?', uri);
    return row === undefined ? [] : readJson(annotationsByKey, row['annotations'], []);
  }

  /** Returns the annotations of a file without those that existed before another member added its document. */
  listShared(uri: string): AnnotationsByKey {
    const hidden = this.privateKeys(uri);
    return this.of(uri).filter(([key]) => !hidden.has(key));
  }

  /** Returns the keys of the annotations that existed before another member added their document. */
  privateKeys(uri: string): ReadonlySet<string> {
    return new Set(this.#sql.texts('SELECT key FROM team_private_marks WHERE uri = ?', uri));
  }

  /**
   * Reports whether the annotations at an address belong to the team: the user added the source or agreed to share the
   * file. Annotations of a local file that only has the same content as a document are the user's own.
   */
  isShared(uri: string): boolean {
    return this.#sql.has(
      `SELECT 1 FROM documents d JOIN sources s ON s.id = d.source_id
         WHERE d.uri = ?1 AND NOT (json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy')
       UNION ALL SELECT 1 FROM team_shared_files WHERE uri = ?1`,
      uri,
    );
  }

  /** Replaces the saved annotations of a file. Returns `true` if some could be shared but aren't. */
  keep(uri: string, annotations: AnnotationsByKey): boolean {
    return this.#sql.transaction(() => {
      if (annotations.length === 0) this.#sql.run('DELETE FROM file_annotations WHERE uri = ?', uri);
      else this.#sql.put('file_annotations', 'uri', { uri, annotations: JSON.stringify(annotations) });
      const mayShare = this.#sql.has(
        'SELECT 1 FROM documents WHERE uri = ? AND EXISTS (SELECT 1 FROM team WHERE level > 1)',
        uri,
      );
      if (!mayShare || annotations.length === 0) return false;
      const hidden = this.privateKeys(uri);
      return !this.isShared(uri) || annotations.some(([key]) => hidden.has(key));
    });
  }

  /** Shares all annotations of a file with the team, including later ones. */
  share(uri: string): void {
    this.#sql.transaction(() => {
      this.#sql.run('DELETE FROM team_private_marks WHERE uri = ?', uri);
      this.#sql.run('INSERT INTO team_shared_files (uri) VALUES (?) ON CONFLICT DO NOTHING', uri);
      this.#sql.run("DELETE FROM team_outbox WHERE kind = 'annotations' AND id = ?", uri);
      this.#sql.run(
        "INSERT INTO team_outbox (kind, id) SELECT 'annotations', ? WHERE EXISTS (SELECT 1 FROM team)",
        uri,
      );
    });
  }
}

/** Returns the index worker's handlers for annotations of the open notebook. */
export function annotationsHandlers(
  notebook: () => { readonly annotations: StoredAnnotations },
): Handlers<AnnotationsApi> {
  return {
    storedAnnotations: ({ uri }) => notebook().annotations.of(uri),
    sharedAnnotations: ({ uri }) => notebook().annotations.listShared(uri),
    keepAnnotations: ({ uri, annotations }) => notebook().annotations.keep(uri, annotations),
    shareAnnotations: ({ uri }) => notebook().annotations.share(uri),
  };
}
