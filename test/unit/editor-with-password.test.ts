import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPassword, type Passwords } from '../../src/editor/pdf/with-password.ts';
import { NotebookError } from '../../src/notebook/errors.ts';

/** Passwords that a user types in turn, with a diary of what was done. */
function typing(words: readonly string[], kept?: string): Passwords & { readonly diary: string[] } {
  const diary: string[] = [];
  const left = [...words];
  return {
    diary,
    kept: () => Promise.resolve(kept),
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

describe('a file that may have a password', () => {
  test('has none: nobody is asked', async () => {
    const passwords = typing(['x']);
    assert.equal(await withPassword(passwords, need(), () => Promise.resolve(1)), 1);
    assert.deepEqual(passwords.diary, []);
  });

  test('is asked for until one opens it, which may then be kept', async () => {
    const passwords = typing(['wrong', 'right', 'never']);
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, ['ask', 'ask again', 'offer right']);
  });

  test('opens with the kept one, and nobody is asked', async () => {
    const passwords = typing([], 'right');
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, []);
  });

  test('a kept one that does not open it any more is forgotten', async () => {
    const passwords = typing(['right'], 'old');
    assert.equal(await withPassword(passwords, need(), locked('right')), 'text');
    assert.deepEqual(passwords.diary, ['forget', 'ask again', 'offer right']);
  });

  test('the user says none, or may not be asked: it stays locked', async () => {
    for (const mayAsk of [true, false]) {
      const passwords = typing([]);
      await assert.rejects(withPassword(passwords, need(mayAsk), locked('right')), {
        code: 'encrypted',
        message: 'Locked.',
      });
      assert.deepEqual(passwords.diary, mayAsk ? ['ask'] : []);
    }
  });

  test('is damaged although its password is right: nobody is asked again, and the kept one stays', async () => {
    const damaged = (password: string | undefined): Promise<string> =>
      password === 'right'
        ? Promise.reject(new NotebookError('damaged', 'Broken.'))
        : locked('right')(password);
    const typed = typing(['wrong', 'right', 'never']);
    await assert.rejects(withPassword(typed, need(), damaged), { code: 'damaged' });
    assert.deepEqual(typed.diary, ['ask', 'ask again']);
    const kept = typing([], 'right');
    await assert.rejects(withPassword(kept, need(), damaged), { code: 'damaged' });
    assert.deepEqual(kept.diary, []);
  });

  test('other failures are told as they are', async () => {
    const reading = withPassword(typing(['x']), need(), () =>
      Promise.reject(new NotebookError('damaged', 'Broken.')),
    );
    await assert.rejects(reading, { code: 'damaged' });
  });
});
