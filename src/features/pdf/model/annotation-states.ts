import {
  isSameAnnotation,
  type Annotation,
  type AnnotationChange,
  type AnnotationEdit,
  type AnnotationsByKey,
} from '../../../core/domain/annotation.ts';

/** Unsaved annotations, stored so that they outlive the window. */
export interface AnnotationBackup {
  readonly current: AnnotationsByKey;
  readonly inFile: AnnotationsByKey;
  readonly refs: Readonly<Record<string, string>>;
}

/**
 * Changed annotations of an open file, as they currently are and as the file has them. Both are whole states instead of
 * differences, so that each edit can be undone before or after a save.
 */
export class AnnotationStates {
  #current = new Map<string, Annotation | null>();
  #inFile = new Map<string, Annotation | null>();
  #refs: Record<string, string> = {};

  /** The current state of the changed annotations by key, saved or not; null for deleted ones. */
  get current(): AnnotationsByKey {
    return [...this.#current];
  }

  /** The object names of the saved annotations, by key. */
  get refs(): Readonly<Record<string, string>> {
    return this.#refs;
  }

  apply({ key, before, after }: AnnotationEdit): void {
    if (!this.#inFile.has(key)) this.#inFile.set(key, before);
    this.#current.set(key, after);
  }

  /** Reverts an edit. */
  undo({ key, before }: AnnotationEdit): void {
    this.#current.set(key, before);
  }

  /** Returns the unsaved changes. */
  changes(): AnnotationChange[] {
    return [...this.#current].flatMap(([key, annotation]): AnnotationChange[] => {
      const before = this.#inFile.get(key) ?? null;
      if (isSameAnnotation(before, annotation)) return [];
      const ref = this.#refs[key] ?? key;
      if (annotation === null) return before === null ? [] : [{ kind: 'remove', key, ref, before }];
      return before === null
        ? [{ kind: 'add', key, annotation }]
        : [{ kind: 'change', key, ref, before, annotation }];
    });
  }

  /** Returns the changes for a copy of the file that lacks the annotations stored beside the file. */
  listChangesForCopy(isStoredBeside: boolean): AnnotationChange[] {
    if (!isStoredBeside) return this.changes();
    return [...this.#current].flatMap(([key, annotation]): AnnotationChange[] =>
      // This adds the annotation unless the file has one at its position.
      annotation === null ? [] : [{ kind: 'change', key, ref: key, before: annotation, annotation }],
    );
  }

  /** Marks changes as saved. */
  markSaved(changes: readonly AnnotationChange[], refs: Readonly<Record<string, string>>): void {
    for (const change of changes)
      this.#inFile.set(change.key, change.kind === 'remove' ? null : change.annotation);
    this.#refs = { ...this.#refs, ...refs };
  }

  /** Discards all unsaved changes. */
  revert(): void {
    this.#current = new Map(this.#inFile);
  }

  /** Everything that isn't in the file yet, for recovery after a crash. */
  get backup(): AnnotationBackup {
    return { current: this.current, inFile: [...this.#inFile], refs: this.#refs };
  }

  /** Restores a backup. */
  restore({ current, inFile, refs }: AnnotationBackup): void {
    this.#current = new Map(current);
    this.#inFile = new Map(inFile);
    this.#refs = refs;
  }
}
