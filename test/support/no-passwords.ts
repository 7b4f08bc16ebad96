import type { Passwords } from '../../src/features/pdf/editor/with-password.ts';

/** Passwords for code under test that reads no encrypted PDF, or whose user cancels. */
export const noPasswords: Passwords = {
  findPassword: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  ask: () => Promise.resolve(undefined),
  offerToKeep: () => undefined,
};

/** Finds no text in images. */
export function noRecognition(): Promise<undefined> {
  return Promise.resolve(undefined);
}

/** A thread reader for which no address is an issue or a pull request. */
export const noThreads = {
  read: (): Promise<undefined> => Promise.resolve(undefined),
  asking: (): Promise<never> => Promise.reject(new Error('No forge is asked here.')),
};
