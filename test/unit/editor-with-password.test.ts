import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPassword, type Passwords } from '../../src/features/pdf/editor/with-password.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

/** Returns a user who enters passwords in turn, with a log of the actions. */
function typing(words: readonly string[], savedPassword?: string): Passwords & { readonly diary: string[] } {
  const diary: string[] = [];
  const left = [...words];
  return {
    diary,
    findPassword: () => Promise.resolve(savedPassword),
    forget: () => {
      diary.push('forget');
      return Promise.resolve();
    },
    ask: (_file, wasWrong) => {
      diary.push(wasWrong ? 'ask again' : 'ask');
      return Promise.resolve(left.shift());
    },
    offerToKeep: (_file, password) => {
      diary.push(`offer ${password}`);
    },
  };
}

const locked =
  (right: string) =>
  (password: string | undefined): Promise<string> =>
    password === right
      ? Promise.resolve('text')
      : Promise.reject(new NotebookError('encrypted', password === undefined ? 'Locked.' : 'Wrong.'));

const need = (mayAsk = true) => ({ file: 'file:///a.pdf', mayAsk, signal: new AbortController().signal });

describe('opening a file that may have a password', () => {
  test('doesn’t ask if there is none', async () => {
    const passwords = typing(['x']);
    assert.equal(await withPassword(passwords, need(), () => Promise.resolve(1)), 1);
    assert.deepEqual(passwords.diary, []);
  });

  test('asks until a password opens the file, which can then be saved', async () => {
    const passwords = typing(['wrong', 'right', 'never']);
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, ['ask', 'ask again', 'offer right']);
  });

  test('uses the saved password without asking', async () => {
    const passwords = typing([], 'right');
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, []);
  });

  test('forgets a saved password that no longer works', async () => {
    const passwords = typing(['right'], 'old');
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, ['forget', 'ask again', 'offer right']);
  });

  test('leaves the file locked if the user cancels or can’t be asked', async () => {
    for (const mayAsk of [true, false]) {
      const passwords = typing([]);
      await assert.rejects(withPassword(passwords, need(mayAsk), locked('right')), {
        code: 'encrypted',
        message: 'Locked.',
      });
      assert.deepEqual(passwords.diary, mayAsk ? ['ask'] : []);
    }
  });

  test('keeps the saved password and doesn’t ask again if the file is damaged', async () => {
    const damaged = (password: string | undefined): Promise<string> =>
      password === 'right'
        ? Promise.reject(new NotebookError('damaged', 'Broken.'))
        : locked('right')(password);
    const typed = typing(['wrong', 'right', 'never']);
    await assert.rejects(withPassword(typed, need(), damaged), { code: 'damaged' });
    assert.deepEqual(typed.diary, ['ask', 'ask again']);
    const passwords = typing([], 'right');
    await assert.rejects(withPassword(passwords, need(), damaged), { code: 'damaged' });
    assert.deepEqual(passwords.diary, []);
  });

  test('reports other failures unchanged', async () => {
    const reading = withPassword(typing(['x']), need(), () =>
      Promise.reject(new NotebookError('damaged', 'Broken.')),
    );
    await assert.rejects(reading, { code: 'damaged' });
  });
});
