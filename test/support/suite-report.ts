// Report of a suite in the extension host to the process that started it.

/** One test's outcome. */
export interface HostTest {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  readonly time: number;
  /** The processor time of the extension host and its processes, in seconds. */
  readonly seconds: number;
  readonly error?: string;
  /** Message of the first failure, if the test passed when it was retried. */
  readonly firstError?: string;
}

/** A whole run's outcome. */
export interface HostReport {
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly HostTest[];
  /** The processor time between the tests: hooks, and loading. */
  readonly hookSeconds: number;
  /** Values that tests recorded with `note`, by name. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** Values that the tests of this process recorded. */
export const notes: Record<string, unknown> = {};

/** Records a figure or other JSON value for the process that started the suite, which prints it. */
export function note(name: string, value: unknown): void {
  notes[name] = value;
}
