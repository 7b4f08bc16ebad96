import {
  isSameAnnotation,
  type Annotation,
  type AnnotationChange,
  type AnnotationEdit,
  type WantedAnnotations,
} from './annotation.ts';

/** What is kept of unsaved annotations so that none is lost with its window. */
export interface AnnotationBackup {
  readonly wanted: WantedAnnotations;
  readonly inFile: WantedAnnotations;
  readonly refs: Readonly<Record<string, string>>;
}

/**
 * The annotations of an open file that were changed: how they are wanted, and how they are in the file. Both are whole states
 * rather than differences, so that each edit can be undone before and after a save alike.
 */
export class AnnotationStates {
  #wanted = new Map<string, Annotation | null>();
  #inFile = new Map<string, Annotation | null>();
  #refs: Record<string, string> = {};

  /** What the user wants to be marked, by key; null for what is to go. */
  get wanted(): WantedAnnotations {
    return [...this.#wanted];
  }

  /** The names of the objects of those that were saved, by their keys. */
  get refs(): Readonly<Record<string, string>> {
    return this.#refs;
  }

  /** Does an edit. */
  apply({ key, before, after }: AnnotationEdit): void {
    if (!this.#inFile.has(key)) this.#inFile.set(key, before);
    this.#wanted.set(key, after);
  }

  /** Takes an edit back. */
  undo({ key, before }: AnnotationEdit): void {
    this.#wanted.set(key, before);
  }

  /** What has to be saved. */
  changes(): AnnotationChange[] {
    return [...this.#wanted].flatMap(([key, annotation]): AnnotationChange[] => {
      const before = this.#inFile.get(key) ?? null;
      if (isSameAnnotation(before, annotation)) return [];
      const ref = this.#refs[key] ?? key;
      if (annotation === null) return before === null ? [] : [{ kind: 'remove', key, ref, before }];
      return before === null
        ? [{ kind: 'add', key, annotation }]
        : [{ kind: 'change', key, ref, before, annotation }];
    });
  }

  /** What a copy of the file has to be changed by that has none of what is kept beside the file. */
  whole(isKeptBeside: boolean): AnnotationChange[] {
    if (!isKeptBeside) return this.changes();
    return [...this.#wanted].flatMap(([key, annotation]): AnnotationChange[] =>
      // It is added unless the file has it, which is found by its place then.
      annotation === null ? [] : [{ kind: 'change', key, ref: key, before: annotation, annotation }],
    );
  }

  /** These changes are saved. */
  saved(changes: readonly AnnotationChange[], refs: Readonly<Record<string, string>>): void {
    for (const change of changes)
      this.#inFile.set(change.key, change.kind === 'remove' ? null : change.annotation);
    this.#refs = { ...this.#refs, ...refs };
  }

  /** What is wanted is what is in the file. */
  revert(): void {
    this.#wanted = new Map(this.#inFile);
  }

  /** All that is not in the file yet, as it is kept over a crash. */
  get backup(): AnnotationBackup {
    return { wanted: this.wanted, inFile: [...this.#inFile], refs: this.#refs };
  }

  /** Takes up what was kept. */
  restore({ wanted, inFile, refs }: AnnotationBackup): void {
    this.#wanted = new Map(wanted);
    this.#inFile = new Map(inFile);
    this.#refs = refs;
  }
}
