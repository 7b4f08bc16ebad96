import { NotebookError } from '../../../core/domain/errors.ts';

/** Access to a token for content that a forge doesn't show to everyone. */
export interface Account {
  /** Returns the token if it exists and the user agreed to its use. Doesn't ask. */
  findAgreedToken(): Promise<string | undefined>;
  /** Asks the user for a token; undefined if they decline. `refused` is the token that was rejected. */
  ask(refused: string | undefined): Promise<string | undefined>;
}

/**
 * Reads with the token that the user agreed to, or without one. If the content is hidden and `mayAsk` is `true`, asks
 * the user for another token.
 * @throws NotebookError `unauthorized` if no valid token was entered
 */
export async function withForgeToken<T>(
  account: Account,
  mayAsk: boolean,
  read: (token: string | undefined) => Promise<T>,
): Promise<T> {
  for (let token = await account.findAgreedToken(); ;) {
    try {
      return await read(token);
    } catch (error) {
      const isHidden = error instanceof NotebookError && error.code === 'unauthorized';
      const newToken = mayAsk && isHidden ? await account.ask(token) : undefined;
      if (newToken === undefined) throw error;
      token = newToken;
    }
  }
}
