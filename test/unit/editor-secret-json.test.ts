import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import { readSecretJson } from '../../src/platform/secret-json.ts';

const tokens = v.record(v.string(), v.string());

function storage(stored: string | undefined): { get: () => Promise<string | undefined> } {
  return { get: () => Promise.resolve(stored) };
}

describe('readSecretJson', () => {
  test('returns the stored JSON', async () => {
    assert.deepEqual(await readSecretJson(storage('{"a":"b"}'), 'tokens', tokens), { a: 'b' });
  });

  test('returns undefined when nothing is stored', async () => {
    assert.equal(await readSecretJson(storage(undefined), 'tokens', tokens), undefined);
  });

  test('returns undefined when the secret is damaged', async () => {
    assert.equal(await readSecretJson(storage('{"a":'), 'tokens', tokens), undefined);
    assert.equal(await readSecretJson(storage('{"a":1}'), 'tokens', tokens), undefined);
  });

  test('rejects when the storage can’t be read', async () => {
    const locked = { get: () => Promise.reject(new Error('The keychain is locked.')) };
    await assert.rejects(readSecretJson(locked, 'tokens', tokens), /locked/);
  });
});
