/** Where what went wrong is written down; the editor's log is one. */
export interface Log {
  warn(message: string, ...details: unknown[]): void;
  error(message: string | Error, ...details: unknown[]): void;
}
