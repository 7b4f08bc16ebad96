import { NotebookError } from '../../../core/domain/errors.ts';

/** Source of passwords for PDFs; `file` identifies the PDF. */
export interface Passwords {
  /** Returns the stored password, which the user agreed to store. */
  findPassword(file: string): Promise<string | undefined>;
  forget(file: string): Promise<void>;
  /** Asks the user; undefined if they decline. `wasWrong` is `true` if the last password didn't open the file. */
  ask(file: string, wasWrong: boolean, signal: AbortSignal): Promise<string | undefined>;
  /** Offers to store a password that opened a PDF. */
  offerToKeep(file: string, password: string): void;
}

interface PasswordNeed {
  readonly file: string;
  /** `true` if the user may be prompted; otherwise, only stored passwords are tried. */
  readonly mayAsk: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads a file that may be encrypted: first without a password, then with the stored one, then with the user's entries,
 * until one opens it. A stored password that no longer works is deleted.
 * @throws NotebookError `encrypted` if no password was entered.
 */
export async function withPassword<T>(
  passwords: Passwords,
  { file, mayAsk, signal }: PasswordNeed,
  read: (password: string | undefined) => Promise<T>,
): Promise<T> {
  const locked = await tryPassword(read, undefined);
  if ('result' in locked) return locked.result;
  const savedPassword = await passwords.findPassword(file);
  if (savedPassword !== undefined) {
    const opened = await tryPassword(read, savedPassword);
    if ('result' in opened) return opened.result;
    await passwords.forget(file);
  }
  for (let wasWrong = savedPassword !== undefined; mayAsk; wasWrong = true) {
    const password = await passwords.ask(file, wasWrong, signal);
    if (password === undefined) break;
    const opened = await tryPassword(read, password);
    if ('result' in opened) {
      passwords.offerToKeep(file, password);
      return opened.result;
    }
  }
  throw locked.error;
}

async function tryPassword<T>(
  read: (password: string | undefined) => Promise<T>,
  password: string | undefined,
): Promise<{ readonly result: T } | { readonly error: NotebookError }> {
  try {
    return { result: await read(password) };
  } catch (error) {
    if (error instanceof NotebookError && error.code === 'encrypted') return { error };
    throw error;
  }
}
