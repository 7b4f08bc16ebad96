import { errorMessage } from '../../src/notebook/errors.ts';
import { render } from 'preact';

/** Says in the place of a view why it can't be shown. */
export function renderProblem(error: unknown, root: Element): void {
  render(
    <p class="problem" role="alert">
      {errorMessage(error)}
    </p>,
    root,
  );
}
