/** Log of problems; VS Code's log channel is one. */
export interface Log {
  warn(message: string, ...details: unknown[]): void;
  error(message: string | Error, ...details: unknown[]): void;
}
