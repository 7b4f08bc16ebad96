import { render } from 'preact';

/** Says in the place of a view why it can't be shown. */
export function renderProblem(error: unknown, root: Element): void {
  render(
    <p class="problem" role="alert">
      {error instanceof Error ? error.message : String(error)}
    </p>,
    root,
  );
}
