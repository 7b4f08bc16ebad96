import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addressKey,
  isLoopback,
  toWebAddress,
  webAddressesIn,
  withoutEscapes,
} from '../../src/core/domain/web-address.ts';

test('completes a web address, and accepts no other text', () => {
  assert.equal(toWebAddress(' example.com/a b '), 'https://example.com/a%20b');
  assert.equal(toWebAddress('http://example.com'), 'http://example.com/');
  for (const other of ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://example.com/a', 'https://', ''])
    assert.equal(toWebAddress(other), undefined, other);
});

test('distinguishes a list of addresses from a text with some', () => {
  assert.deepEqual(webAddressesIn(' https://example.com/a\n'), ['https://example.com/a']);
  assert.deepEqual(webAddressesIn('https://example.com/a\nhttp://example.com/b'), [
    'https://example.com/a',
    'http://example.com/b',
  ]);
  for (const text of ['', 'See https://example.com', 'example.com', 'javascript:alert(1)', 'https:// a'])
    assert.deepEqual(webAddressesIn(text), [], text);
});

test('distinguishes this machine from hosts with similar names', () => {
  for (const here of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]'])
    assert.ok(isLoopback(here), here);
  for (const other of [
    '127.evil.example',
    '127.0.0.1.example',
    'localhost.example',
    'a.localhost',
    '::2',
    '',
  ])
    assert.ok(!isLoopback(other), other);
});

test('decodes escapes, and keeps invalid ones', () => {
  assert.equal(withoutEscapes('a%20b%C3%A9'), 'a bé');
  assert.equal(withoutEscapes('100%'), '100%');
});

describe('addressKey', () => {
  for (const [one, other] of [
    ['https://example.com', 'https://example.com/#top'],
    ['https://example.com/docs/', 'https://EXAMPLE.com/docs#a'],
    ['https://example.com/docs/?', 'https://example.com/docs'],
    ['https://example.com/docs/?q=1', 'https://example.com/docs?q=1#:~:text=a'],
  ] as const)
    test(`is the same for ${one} and ${other}`, () => {
      assert.equal(addressKey(one), addressKey(other));
    });

  for (const [one, other] of [
    ['https://example.com/#/cats', 'https://example.com/#/dogs'],
    ['https://example.com/docs?q=1', 'https://example.com/docs?q=2'],
    ['https://example.com/docs', 'https://example.com/Docs'],
    ['http://example.com/', 'http://example.com:8080/'],
  ] as const)
    test(`differs for ${one} and ${other}`, () => {
      assert.notEqual(addressKey(one), addressKey(other));
    });
});
