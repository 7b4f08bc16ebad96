/** Ignores the failure of a request to the editor, because the editor reports it. */
export function ignoreFailure(request: Promise<unknown>): void {
  // The editor reports the failure.
  request.catch(() => undefined);
}
