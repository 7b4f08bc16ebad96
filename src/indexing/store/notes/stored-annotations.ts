import type { Handlers } from '../../../messages/rpc.ts';
import type { WantedAnnotations } from '../../../notebook/annotation.ts';
import { wantedAnnotations } from '../../../notebook/stored-annotations.ts';
import type { AnnotationsApi } from './annotations-api.ts';
import { readJson } from '../database/stored-json.ts';
import type { Statements } from '../database/statements.ts';

/** The annotations of files that cannot hold them, by the files' URIs, in a notebook's database. */
export class StoredAnnotations {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** What is marked in the file of an address. */
  of(uri: string): WantedAnnotations {
    const row = this.#sql.get('SELECT annotations FROM file_annotations WHERE uri = ?', uri);
    return row === undefined ? [] : readJson(wantedAnnotations, row['annotations'], []);
  }

  /** Keeps what is marked in the file of an address, instead of what was. */
  keep(uri: string, wanted: WantedAnnotations): void {
    this.#sql.transaction(() => {
      if (wanted.length === 0) this.#sql.run('DELETE FROM file_annotations WHERE uri = ?', uri);
      else this.#sql.put('file_annotations', 'uri', { uri, annotations: JSON.stringify(wanted) });
    });
  }
}

/** What the index worker does with the annotations that the notebook that is open keeps. */
export function annotationsHandlers(
  notebook: () => { readonly annotations: StoredAnnotations },
): Handlers<AnnotationsApi> {
  return {
    keptAnnotations: ({ uri }) => notebook().annotations.of(uri),
    keepAnnotations: ({ uri, wanted }) => notebook().annotations.keep(uri, wanted),
  };
}
