import { errorMessage } from '../../src/core/domain/errors.ts';
import { render } from 'preact';

/** Shows why a view can't be displayed, in place of the view. */
export function renderProblem(error: unknown, root: Element): void {
  render(
    <p class="problem" role="alert">
      {errorMessage(error)}
    </p>,
    root,
  );
}
