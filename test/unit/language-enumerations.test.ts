import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumeratedItems } from '../../src/core/language/enumerations.ts';

const enumerations: readonly (readonly [answer: string, items: readonly string[]])[] = [
  ['The three outputs are mono, stereo and return.', ['mono', 'stereo', 'return']],
  ['It is sold in one of two sizes: small or large. Both are blue.', ['small', 'large']],
  [
    'Das Gerät hat drei Ausgänge, nämlich Mono, Stereo und Return. Sie sind vergoldet.',
    ['Mono', 'Stereo', 'Return'],
  ],
  [
    'Le jardin comprend un potager, une serre et un verger, que la famille soigne.',
    ['un potager', 'une serre', 'un verger'],
  ],
  ['Los colores de la casa son rojo, verde y azul.', ['rojo', 'verde', 'azul']],
  ['I colori della casa sono rosso, verde e blu.', ['rosso', 'verde', 'blu']],
  ['As cores da casa são vermelho, verde e azul.', ['vermelho', 'verde', 'azul']],
  ['De tuin bevat een kas, een vijver of een schuur.', ['een kas', 'een vijver', 'een schuur']],
  ['В саду есть несколько зон, а именно теплица, пруд и сарай.', ['теплица', 'пруд', 'сарай']],
  ['Bahçede üç bölüm vardır: sera, havuz ve kulübe.', ['sera', 'havuz', 'kulübe']],
  ['花园包括温室、池塘和棚子。', ['温室', '池塘', '棚子']],
  ['庭には三つの場所があります：温室、池、小屋。', ['温室', '池', '小屋']],
];

for (const [answer, expected] of enumerations)
  test(`reads ${answer} as ${String(expected.length)} items`, () => {
    assert.deepEqual(enumeratedItems(answer), expected);
  });

test('finds no items in a sentence without an enumeration', () => {
  for (const answer of [
    'The harbour was built in 1998 and is closed on Sundays.',
    'Der Hafen ist alt.',
    'Le port est fermé.',
    '这个港口很大。',
    'Note: nothing is sold here.',
    '',
  ])
    assert.deepEqual(enumeratedItems(answer), [], answer);
});

test('ignores the conjunctions of other languages', () => {
  // "of" is Dutch for "or", "en" for "and"; "y" and "e" are Spanish and Italian.
  assert.deepEqual(enumeratedItems('Its parts are a bag of tea, a cup of milk and sugar.'), [
    'a bag of tea',
    'a cup of milk',
    'sugar',
  ]);
});
