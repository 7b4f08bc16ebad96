import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joinRuns, type TextRun } from '../../src/parsers/raised-text.ts';

const above = (text: string): TextRun => ({ text, raise: 'super' });
const below = (text: string): TextRun => ({ text, raise: 'sub' });
const plain = (text: string): TextRun => ({ text });

describe('superscripts', () => {
  const cases: readonly (readonly [what: string, runs: readonly TextRun[], expected: string])[] = [
    ['of a power of ten are exponents', [plain('10'), above('6'), plain(' cars')], '10^6 cars'],
    ['of several runs are one', [plain('10'), above('1'), above('2')], '10^12'],
    [
      'with a sign are exponents',
      [plain('1.2 × 10'), above('−3'), plain(' m s'), above('−1')],
      '1.2 × 10^−3 m s^−1',
    ],
    ['before an equals sign are exponents', [plain('1024'), above('2'), plain(' = 5')], '1024^2 = 5'],
    ['above a fraction stay as they are', [plain('3'), above('1'), plain('⁄'), below('4')], '3 1⁄4'],
    ['of a small number are exponents', [plain('2'), above('10'), plain(' = 1024')], '2^10 = 1024'],
    [
      'after a year are marks of notes',
      [plain('in 2019'), above('12'), plain('; then')],
      'in 2019 [12]; then',
    ],
    [
      'after a large number are marks of notes',
      [plain('1,500'), above('3'), plain(' cars')],
      '1,500 [3] cars',
    ],
    [
      'after a word are marks of notes',
      [plain('the ferry'), above('1'), plain(' leaves')],
      'the ferry [1] leaves',
    ],
    [
      'after a sentence are marks of notes',
      [plain('It leaves.'), above('3,4'), plain(' It')],
      'It leaves. [3,4] It',
    ],
    ['of several notes keep their range', [plain('1850'), above('2–5')], '1850 [2–5]'],
    ['before a word leave a space', [above('1'), plain('Named Marguerite.')], '[1] Named Marguerite.'],
    ['before a parenthesis make no link', [plain('2019'), above('1'), plain('(old)')], '2019 [1] (old)'],
    [
      'of units are exponents',
      [plain('60 m'), above('2'), plain(' and 5 km'), above('3')],
      '60 m^2 and 5 km^3',
    ],
    [
      'of variables are exponents',
      [plain('R'), above('2'), plain(' and x'), above('n+1')],
      'R^2 and x^{n+1}',
    ],
    [
      'of elements are mass numbers',
      [plain('dated by '), above('14'), plain('C in 1950')],
      'dated by ^14C in 1950',
    ],
    ['are charges', [plain('Ca'), above('2+')], 'Ca^2+'],
    ['of ordinals stay letters', [plain('the 21'), above('st'), plain(' day')], 'the 21st day'],
    ['in brackets stay apart', [plain('2019'), above('[7]')], '2019[7]'],
    ['without other text stay as they are', [above('12')], '12'],
    [
      'that are sentences stay as they are',
      [plain('5'), above(' small words of a sentence in 2019')],
      '5 small words of a sentence in 2019',
    ],
  ];
  for (const [what, runs, expected] of cases) test(what, () => assert.equal(joinRuns(runs), expected));
});

describe('subscripts', () => {
  const cases: readonly (readonly [what: string, runs: readonly TextRun[], expected: string])[] = [
    ['of formulas stay as they are', [plain('H'), below('2'), plain('O and CO'), below('2')], 'H2O and CO2'],
    ['after a digit are marked', [plain('101'), below('2'), plain(' = 5')], '101_2 = 5'],
    ['before a digit are marked', [plain('log'), below('2'), plain('8')], 'log_2 8'],
    ['with a sum are marked', [plain('x'), below('n+1')], 'x_{n+1}'],
  ];
  for (const [what, runs, expected] of cases) test(what, () => assert.equal(joinRuns(runs), expected));
});

test('marks struck text without the spaces around it', () => {
  const struck = (text: string): TextRun => ({ text, isStruck: true });
  assert.equal(
    joinRuns([plain('The fare is '), struck('80'), struck(' crowns '), plain('70')]),
    'The fare is ~~80 crowns~~ 70',
  );
  assert.equal(joinRuns([struck(' ')]), ' ');
});

test('never joins the digits of a superscript or subscript to others', () => {
  const marks = [
    '6',
    '12',
    '2,3',
    '1–4',
    '-3',
    '+',
    'n',
    '2n',
    'st',
    '*',
    '(4)',
    '1st day of 2019 and more words 7',
  ];
  const around = ['', '10', '2019', '1,500', '2.5', 'm', 'x', 'word', 'end.', ')', 'a 3', '5 '];
  for (const before of around)
    for (const after of around)
      for (const mark of marks)
        for (const raise of ['super', 'sub'] as const) {
          const runs = [plain(before), { text: mark, raise }, plain(after)];
          const known = new Set(runs.flatMap(({ text }) => text.match(/\d+/g) ?? []));
          const text = joinRuns(runs);
          for (const number of text.match(/\d+/g) ?? [])
            assert.ok(known.has(number), `${before}|${mark}|${after}: ${text}`);
        }
});
