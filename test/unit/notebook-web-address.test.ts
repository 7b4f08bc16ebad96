import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWebAddress, webAddressesIn } from '../../src/notebook/web-address.ts';

test('an address of the web is completed, and no other is one', () => {
  assert.equal(toWebAddress(' example.com/a b '), 'https://example.com/a%20b');
  assert.equal(toWebAddress('http://example.com'), 'http://example.com/');
  for (const other of ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://example.com/a', 'https://', ''])
    assert.equal(toWebAddress(other), undefined, other);
});

test('a text of nothing but addresses is told from a text with some', () => {
  assert.deepEqual(webAddressesIn(' https://example.com/a\n'), ['https://example.com/a']);
  assert.deepEqual(webAddressesIn('https://example.com/a\nhttp://example.com/b'), [
    'https://example.com/a',
    'http://example.com/b',
  ]);
  for (const text of ['', 'See https://example.com', 'example.com', 'javascript:alert(1)', 'https:// a'])
    assert.deepEqual(webAddressesIn(text), [], text);
});
