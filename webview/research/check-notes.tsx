import type { JSX } from 'preact';
import type { ProductCheck } from '../../src/features/research/model/project.ts';

/** Shows the remarks on a product below its counts, for example why its fact check failed. */
export function CheckNotes({ check: { notes = [] } }: { readonly check: ProductCheck }): JSX.Element {
  return (
    <>
      {notes.map((note, index) => (
        <p key={index} class="quiet" dir="auto">
          {note}
        </p>
      ))}
    </>
  );
}
