// Tests arithmetic expressions, and that nothing else is evaluated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { compute, FUNCTIONS } from '../../src/features/research/service/skills/expressions.ts';
import { skillWorld } from './skills-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

for (const [expression, result] of [
  ['0.1 + 0.2', '0.3'],
  ['(1234.5 - 1000) / 1000 * 100', '23.45'],
  ['20% * 50', '10'],
  ['7 mod 4', '3'],
  ['-2 ^ 2', '-4'],
  ['mean([1, 2, 3, 6])', '3'],
  ['median(3, 1, 2)', '2'],
  ['round(std([2, 4, 4, 4, 5, 5, 7, 9]), 3)', '2.138'],
  ['sum(sales) / max(sales)', '2'],
  ['growth > 0.1 ? 1 : 2', '1'],
  ['corr([1, 2, 3], [2, 4, 6])', '1'],
  ['sqrt(2) * pi', '4.4428829381584'],
  ['5!', '120'],
  ['2 < 3', 'true'],
  ['1e3 * 12', '12000'],
] as const)
  test(`${expression} is ${result}`, () => {
    assert.equal(compute(expression, { sales: [10, 20, 10], growth: 0.2 }), result);
  });

for (const [expression, expectedMessage] of [
  ['1 / 0', /isn’t finite/],
  ['9^9^9^9', /isn’t finite/],
  ['200!', /isn’t finite/],
  ['1,234 + 1', /unexpected operator ,/],
  ['2 kg', /"kg" has no value/],
  ['x = 3', /only numbers, values, operators, and functions/],
  ['f(x) = x', /only numbers/],
  ['"a"', /only numbers/],
  ['1:1000000000', /only numbers/],
  ['zeros(1e9)', /only the functions abs/],
  ['random()', /only the functions/],
  ['import({})', /only/],
  ['evaluate("1")', /only/],
  ['parse("1")', /only/],
  ['createUnit("a")', /only/],
  ['cos.constructor("return process")', /only/],
  ['cos.constructor("return process")()', /can't be computed/],
  ['[[1, 2], [3, 4]] * 2', /can't be computed/],
  ['mean([])', /can't be computed/],
  ['constructor', /"constructor" has no value/],
  ['__proto__', /has no value/],
  ['toString()', /only the functions/],
  ['combinations(1e15, 5e14)', /only the functions/],
  ['isPrime(1e18)', /only the functions/],
  ['[1, 2] + 1', /can't be computed/],
  ['[1, 2]', /isn’t a number/],
  ['', /can't be computed/],
  ['1 +', /can't be computed/],
  ['('.repeat(999), /can't be computed/],
  ['1+'.repeat(600), /at most 1000 characters/],
  ["a'", /operator ' isn’t supported/],
] as const)
  test(`${expression.slice(0, 40)} is rejected in one sentence`, () => {
    assert.throws(
      () => compute(expression, { a: 1 }),
      (error) =>
        error instanceof NotebookError &&
        expectedMessage.test(error.message) &&
        !error.message.includes('\n'),
    );
  });

test('computes a result for each named function', () => {
  const results = FUNCTIONS.map((name) => {
    const args = ['corr', 'quantileSeq'].includes(name)
      ? name === 'corr'
        ? '[1, 2], [2, 3]'
        : '[1, 2], 0.5'
      : '4';
    return compute(`${name}(${['pow', 'nthRoot', 'gcd', 'lcm'].includes(name) ? '4, 2' : args})`);
  });
  assert.ok(
    results.every((result) => Number.isFinite(Number(result))),
    results.join(),
  );
});

test('ends at once with a number or a sentence for any input', () => {
  const piece = fc.constantFrom(
    ...FUNCTIONS.map((name) => `${name}(`),
    ...'( ) [ ] { } , ; : + - * / ^ ! % = . 1 9 1e308 1e-308 0 pi e a b "x" \' < > ? ~ | & # @ $ \\ \n'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        assert.match(compute(pieces.join(' '), { a: 2, b: [1, 2, 3] }), /^(?:-?[\d.e+-]+|true|false)$/);
      } catch (error) {
        assert.ok(error instanceof NotebookError, String(error));
      }
    }),
    { numRuns: rounds(400, 2_000) },
  );
});

test('computes several expressions at once, each available by name to later ones', async () => {
  const { call } = skillWorld([]);
  const { text } = await call('compute', {
    expressions: ['total = sum(sales)', 'total / 2', 'total +'],
    values: { sales: [10, 20, 30] },
  });
  assert.match(text, /^total = sum\(sales\) = 60\ntotal \/ 2 = 30\n"total \+" can't be computed: .*$/);
  assert.equal((await call('compute', { expressions: '6 * 7' })).text, '6 * 7 = 42');
  assert.match(
    (await call('compute', { expressions: [] })).error ?? '',
    /^compute doesn’t accept this input/,
  );
  assert.match(
    (await call('compute', { expressions: ['1'], values: { a: 'b' } })).error ?? '',
    /"values\.a" must be/,
  );
});
