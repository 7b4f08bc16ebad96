import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutSentences, endsWithMark, mayBeginSentence } from '../../src/core/language/sentences.ts';
import { assertLinear } from '../support/growth.ts';
import { streamedSentences } from '../../src/core/language/streamed-sentences.ts';
import { rounds } from '../support/test-size.mjs';

const sentences = (text: string): string[] =>
  cutSentences(text).map(({ start, end }) => text.slice(start, end));

test('splits no sentence at abbreviations and initials', () => {
  assert.deepEqual(
    sentences('Dr. J. K. Smith et al. saw it, e.g. in Fig. 3. It was so. He left (cf. Miller, p. 5).'),
    ['Dr. J. K. Smith et al. saw it, e.g. in Fig. 3.', 'It was so.', 'He left (cf. Miller, p. 5).'],
  );
  assert.deepEqual(sentences('Take vitamin C. Then wait. The answer is no. Then ask.'), [
    'Take vitamin C.',
    'Then wait.',
    'The answer is no.',
    'Then ask.',
  ]);
});

for (const [code, text] of Object.entries({
  en: 'Gov. Smith met Capt. Jones, esp. Mary and MR. HOLT, on Jan. 5. | In 5 min. 3 came, in vol. II none. | No.',
  de: 'Vgl. Abb. 3 bzw. Kap. IV, d.h. Hr. Meier zahlt nach § 2 Nr. 3 SGB 5 Mio. Euro. | So u. U. Berlin im Jahr 44 v. Chr. und o. Ä. Hamburg.',
  fr: 'Selon M. Dupont et Mgr. Martin, p. ex. Paris en 52 av. J.-C. et après. | Oui. | Voir p. 3.',
  es: 'El Sr. García y la Sra. López, Av. Mayor, p. ej. Madrid en EE. UU. | Véase la pág. 3. | Sí.',
  it: 'Il sig. Rossi, l’avv. Bianchi e il dott. Verdi, cfr. Galilei. | Si veda pag. 3. | Sì.',
  pt: 'O Sr. Silva e a Profa. Costa, aprox. Lisboa. | Veja a pág. 3. | Sim.',
  nl: 'Dhr. Jansen en mevr. Bakker, bijv. Amsterdam. | Zie blz. 3. | Dat weet ik al. | Goed.',
  sv: 'Kungen, bl.a. Gustav, t.ex. Karl, jfr. Erik. | Det gjorde hon. | Det var sedan sen. | Se sid. 3.',
  da: 'Hans, f.eks. Jensen og hr. Hansen, jf. Loven. | Det tog 1 hr. | Se stk. 3.',
  no: 'Vi så Bergen, f.eks. Bryggen, iflg. Olsen. | Se kap. 3.',
  fi: 'Monet, esim. Nokia, vrt. Helsinki. | Ks. Liite.',
  hu: 'Szt. István, vö. Kovács, pl. Budapest. | Lásd az 5. oldalt.',
  ro: 'Sf. Maria și dl. Popescu din jud. Cluj. | Da.',
  tr: 'Bkz. Bölüm 3, krş. Doç. Yılmaz, örn. Ankara. | Bu sensin. | Evet.',
  pl: 'Kraków, tzn. Jan, np. Warszawa, zob. Rozdział, przy ul. Długiej, film pt. Potop. | Zob. rozdz. 3.',
  cs: 'Města, např. Praha, tzv. Brno, popř. Ing. Novák. | Viz obr. 3. | Dal to nám. | Potom.',
  sk: 'Mestá, napr. Nitra. | Áno.',
  sr: 'Градови, нпр. Београд, тзв. Ниш. | Да.',
  ru: 'См. рис. 3, т. е. Москва, проф. Иванов, ул. Ленина в г. Томск. | Там 5 см. | Это было в 1990 г. | Да.',
  uk: 'Див. Київ, вул. Шевченка, т. зв. Січ. | Так.',
  bg: 'Вж. София, бул. Витоша, гр. Пловдив. | Да.',
  el: 'Ο κ. Παπαδόπουλος, π.χ. Αθήνα, βλ. Κεφάλαιο. | Ναι.',
  lt: 'Miestai, pvz. Vilnius, žr. Kaunas, šv. Jonas. | Taip.',
  lv: 'Pilsētas, piem. Rīga. | Jā.',
  id: 'Bpk. Joko di Jl. Sudirman. | Ya.',
  ga: 'Bailte, m.sh. Corcaigh. | Sin é.',
  vi: 'Ở TP. Huế có PGS. Lan. | Vâng.',
  ar: 'قال د. أحمد ذلك. | نعم.',
  hi: 'यह डॉ. शर्मा हैं। | हाँ।',
  ta: 'இவர் திரு. குமார். | ஆம்.',
  hy: 'Քաղաքներ, օր. Երևան։ | Այո։',
}))
  test(`splits no sentence at an abbreviation of a language: ${code}`, () => {
    assert.deepEqual(sentences(text.replaceAll('| ', '')), text.split(' | '));
  });

test('splits a sentence after a word that isn’t an abbreviation there', () => {
  for (const text of [
    'Martin Luther King Sr. | He was.',
    'It took 20 ms. | Then it ended.',
    'It is in NP. | Then it is.',
    'The answer is no. | I went.',
    'He turned it on. | Rossi left.',
    'Bear it in mind. | Then go.',
    'Er mag es, ich mag. | Huber nicht.',
  ])
    assert.deepEqual(sentences(text.replaceAll('| ', '')), text.split(' | '));
});

test('splits at end marks of all scripts, and doesn’t take a capital after one for a name', () => {
  for (const words of ['so.', 'so?”', '(so…)', 'です。」', 'है।', 'لماذا؟', 'Այո։'])
    assert.ok(endsWithMark(words), words);
  for (const words of ['so', 'so,', 'so:', 'e.g. so', '']) assert.ok(!endsWithMark(words), words);
  for (const before of ['So. ', 'So: “', '**So.** ', 'So?\n']) assert.ok(mayBeginSentence(before), before);
  for (const before of ['So ', 'so, “', 'so.']) assert.ok(!mayBeginSentence(before), before);
});

test('splits no sentence at a German ordinal', () => {
  assert.deepEqual(sentences('Die Miete beginnt am 1. Mai 2026. Sie endet nie. Der Lift hält im 3. Stock.'), [
    'Die Miete beginnt am 1. Mai 2026.',
    'Sie endet nie.',
    'Der Lift hält im 3. Stock.',
  ]);
  assert.deepEqual(sentences('Frist ist der 4. August. There were 12. Then none.'), [
    'Frist ist der 4. August.',
    'There were 12.',
    'Then none.',
  ]);
});

test('splits no sentence at images and operators', () => {
  assert.deepEqual(sentences('See [![build](a.svg)](b) now. Use `a !== b` or `x?.y`. Really? Yes!'), [
    'See [![build](a.svg)](b) now.',
    'Use `a !== b` or `x?.y`.',
    'Really?',
    'Yes!',
  ]);
});

test('splits no sentence in code, and keeps emphasis marks with their sentence', () => {
  assert.deepEqual(
    sentences("Call `a. B` or ``c`. D``. It is **bold.** Then _so?_ \"Yes.\" ``Quoted. So.'' End ``x.'' Z."),
    [
      'Call `a. B` or ``c`. D``.',
      'It is **bold.**',
      'Then _so?_',
      '"Yes."',
      '``Quoted.',
      "So.''",
      "End ``x.''",
      'Z.',
    ],
  );
  assert.deepEqual(sentences('A ` stands alone. So it does.'), ['A ` stands alone.', 'So it does.']);
  assert.deepEqual(sentences('> 1. One. Two.\n> 2. Three.'), ['> 1. One.', 'Two.', '> 2. Three.']);
});

test('opens no block at a line with inline code, and closes none at a language', () => {
  assert.deepEqual(sentences('```npm i x```\nThen. So.'), ['```npm i x```\nThen.', 'So.']);
  assert.deepEqual(sentences('```js\na\n```js\nb. C\n```\nSo.'), ['```js\na\n```js\nb. C\n```', 'So.']);
});

test('keeps reference numbers with the previous sentence', () => {
  assert.deepEqual(sentences('It was so.[12] Next one.[3][4] Last.'), [
    'It was so.[12]',
    'Next one.[3][4]',
    'Last.',
  ]);
});

test('splits a sentence at blank lines, but not at line breaks within a paragraph', () => {
  assert.deepEqual(sentences('One sentence\nover two lines. Another\r\n\r\nThird'), [
    'One sentence\nover two lines.',
    'Another',
    'Third',
  ]);
});

test('treats headings, items, rows, and fences as units', () => {
  const text =
    '# Title. Here\nText. More\n- first\n  goes on\n- second\n\n| a | b |\n| 1 | 2 |\n```js\nA. B.\n\nC.\n```\nEnd';
  assert.deepEqual(sentences(text), [
    '# Title. Here',
    'Text.',
    'More',
    '- first\n  goes on',
    '- second',
    '| a | b |',
    '| 1 | 2 |',
    '```js\nA. B.\n\nC.\n```',
    'End',
  ]);
});

test('splits sentences of other scripts', () => {
  assert.deepEqual(sentences('今日は天気がいい。明日は雨です。'), ['今日は天気がいい。', '明日は雨です。']);
  assert.deepEqual(sentences('यह पहला है। यह दूसरा है।'), ['यह पहला है।', 'यह दूसरा है।']);
});

test('splits only within a span', () => {
  const text = 'One. Two. Three.';
  assert.deepEqual(cutSentences(text, { start: 5, end: 9 }), [{ start: 5, end: 9 }]);
});

test('assigns every nonblank character to exactly one sentence, in order', () => {
  const piece = fc.constantFrom(
    'A. ',
    'b',
    '.',
    '[1]',
    '\n',
    '\n\n',
    '```',
    '- ',
    '# ',
    '| ',
    ' ',
    '。',
    '😀',
    'e.g. ',
    '1. ',
    '!',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        let at = 0;
        for (const { start, end } of cutSentences(text)) {
          assert.ok(start >= at && end > start);
          assert.equal(text.slice(at, start).trim(), '');
          assert.equal(text.slice(start, end), text.slice(start, end).trim());
          at = end;
        }
        assert.equal(text.slice(at).trim(), '');
      },
    ),
    { numRuns: rounds(100, 500) },
  );
});

test('splits a growing text like the whole text', () => {
  const piece = fc.constantFrom(
    ...[
      'A word',
      'b',
      '. ',
      '.',
      '? ',
      '。',
      '[1]',
      '[a b]',
      '(',
      ')',
      '**',
      '`',
      '```',
      '\n```ts\n',
      '~~~\n',
    ],
    ...[
      '\n',
      '\n\n',
      '\r',
      '- ',
      '1. ',
      '# ',
      '> ',
      '| a |\n',
      '|---|\n',
      '---',
      'Fig. ',
      'Vgl. ',
      'av. ',
      'J',
      'u. ',
      'Ä',
      'II',
      'el Sr. ',
      'am 3. ',
      'Mai',
      ' ',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const whole = streamedSentences();
      whole.append(text);
      const expected = whole.take(true);
      const growing = streamedSentences();
      const streamed = Array.from({ length: text.length }, (_, i) => {
        growing.append(text.charAt(i));
        return growing.take(false);
      }).flat();
      assert.deepEqual([...streamed, ...growing.take(true)], expected);
      const ends = new Set(cutSentences(text).map(({ end }) => end));
      for (const { end } of expected) assert.ok(ends.has(end));
    }),
    { numRuns: rounds(400, 2_000) },
  );
});

test('splits long texts in linear time, with and without periods', () => {
  for (const piece of ['word and other ', 'x', 'A. ', '.['])
    assertLinear((times) => {
      assert.ok(cutSentences(piece.repeat(times)).length > 0);
    }, 2_000);
});
