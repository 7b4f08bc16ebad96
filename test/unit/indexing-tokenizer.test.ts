import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES } from '../../src/core/language/words/languages.ts';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';
import { STOP_MARK } from '../../src/core/language/words/word-terms.ts';
import { LATIN_TEXT } from '../../src/core/language/words/word-pattern.ts';
import { assertLinear } from '../support/growth.ts';
import { rounds } from '../support/test-size.mjs';

const passage = (text: string): string[] => new WordTokenizer().termsOfPassage(text);
const question = (text: string): string[] => new WordTokenizer().termsOfQuestion(text);

/** Reports whether a question shares a term with a passage. */
function finds(query: string, text: string): boolean {
  const tokenizer = new WordTokenizer();
  const terms = new Set(tokenizer.termsOfPassage(text));
  return tokenizer.termsOfQuestion(query).some((term) => terms.has(term));
}

test('finds identifiers whole and by their parts', () => {
  assert.deepEqual(question('readFileSync'), ['readfilesync', 'read', 'file', 'sync']);
  assert.deepEqual(question('HTTPServer_port2'), ['httpserver_port2', 'http', 'server', 'port']);
  assert.deepEqual(question('$scope utf8 __init__'), ['$scope', 'scope', 'utf8', 'utf', 'init']);
  assert.ok(finds('file server', 'class FileServer {}'));
  assert.ok(finds('What does max_retries do?', 'const max_retries = 3;'));
});

test('keeps the signs in names of programming languages', () => {
  assert.deepEqual(question('C++ or C#'), ['c++', 'c#']);
  assert.ok(!finds('C#', 'The C programming language'));
});

test('keeps decimal marks of numbers, and drops thousands separators', () => {
  assert.deepEqual(question('1,500'), ['1500']);
  assert.deepEqual(question('3.1.18'), ['3.1.18', '3', '1', '18']);
  assert.ok(finds('$500', 'It costs $500.'));
});

test('folds case and stems words', () => {
  assert.ok(finds('resume', 'Résumés'));
  assert.ok(finds('connect', 'the connections'));
  assert.ok(finds('Groesse GROSSE', 'große'));
  assert.ok(finds('hyphenated', 'a hyphen-\nated word'));
  assert.deepEqual(question("Ada’s l'homme"), ['ada', 'homm']);
  assert.ok(finds('ＡＢＣ', 'abc'));
});

test('drops stop words, except from questions without other words', () => {
  assert.deepEqual(question('What is a sentence, and how do I use it?'), ['sentenc']);
  assert.ok(question('What is this?').length === 3);
  assert.ok(finds('To be or not to be', 'Whether to be or not'));
  assert.ok(passage('the word').includes(`${STOP_MARK}the`));
});

test('ignores words about mentioning next to the subject of a question', () => {
  assert.deepEqual(question('Which species are mentioned in the lists described?'), ['speci', 'list']);
  assert.deepEqual(question('What is described?'), ['describ']);
  assert.deepEqual(question('What is listed'), ['list']);
});

test('finds words of scripts without spaces', () => {
  assert.ok(finds('北京', '我住在北京市'));
  assert.ok(finds('猫', '我的猫很大'));
  assert.ok(finds('データベース', '分散データベースの設計'));
  assert.ok(finds('고양이', '고양이는 귀엽다'));
  assert.ok(finds('สวัสดี', 'สวัสดีชาวโลก'));
  assert.ok(finds('किताब', 'हिन्दी में किताब है'));
  assert.ok(finds('Vue', '使用Vue組件'));
});

test('stems passages in the language of their stop words, also for short questions', () => {
  const german =
    'Die Verbindungen werden von dem Server nicht mehr angenommen, und die Sitzung ist damit beendet.';
  const russian = 'Он не знал, что это были новые настройки, но они были там и для него.';
  const tokenizer = new WordTokenizer();
  const terms = new Set([...tokenizer.termsOfPassage(german), ...tokenizer.termsOfPassage(russian)]);
  for (const query of ['Verbindung', 'настройка'])
    assert.ok(
      tokenizer.termsOfQuestion(query).some((term) => terms.has(term)),
      query,
    );
  assert.ok(!terms.has('werden'));
});

test('stems words of any script and language without an error', () => {
  const odd = ['должен', 'значения', 'времен', 'зелен', 'ата', 'ищища', 'ß', 'i̇', '\u0301', 'a'.repeat(64)];
  const words = [...odd, ...LANGUAGES.flatMap(({ stopWords }) => stopWords)];
  for (const { name, stem } of LANGUAGES)
    for (const word of words) assert.equal(typeof stem(word), 'string', `${name}: ${word}`);
});

/** Passages in each language, with another form of one of their words. */
const inflected: readonly (readonly [language: string, passage: string, asked: string])[] = [
  ['English', 'The connections are kept open by the server.', 'connection'],
  ['German', 'Die Verbindungen werden von dem Server nicht mehr angenommen.', 'Verbindung'],
  ['French', 'Les fichiers ne sont pas ouverts par le serveur.', 'fichier'],
  ['Spanish', 'Las conexiones que no son seguras se cierran por el servidor.', 'conexión'],
  ['Italian', 'Le connessioni che non sono sicure sono chiuse dal server.', 'connessione'],
  ['Portuguese', 'Os arquivos que não são seguros são fechados pelo servidor.', 'arquivo'],
  ['Dutch', 'De verbindingen worden niet meer door de server aangenomen.', 'verbinding'],
  ['Swedish', 'De förbindelser som inte är säkra har stängts av servern.', 'förbindelse'],
  ['Norwegian', 'De forbindelsene som ikke er sikre har blitt stengt av ikkje.', 'forbindelse'],
  ['Danish', 'De forbindelser, som ikke er sikre, blev lukket af den efter det.', 'forbindelse'],
  ['Finnish', 'Palvelimet olivat rikki, koska ne eivät olleet siellä.', 'palvelin palvelimen'],
  ['Hungarian', 'A kapcsolatok nem voltak biztonságosak, ezért az egy volt.', 'kapcsolat'],
  ['Romanian', 'Conexiunile care nu sunt sigure au fost închise de acest server.', 'conexiunea'],
  ['Turkish', 'Bu kitaplar daha sonra çok aslında bazen okundu.', 'kitap'],
  ['Russian', 'Он не знал, что это были новые настройки, но они были там.', 'настройка'],
  ['Ukrainian', 'Це хоча чи нам настройки, але ти це чи хоча.', 'настройка'],
  ['Greek', 'Τα αρχεία που δεν είναι εκεί, και αυτά τα άλλα για το δίκτυο.', 'αρχείο'],
  ['Arabic', 'أصبح هذا الاتصال أقل من أكثر على كل أحد في أخ', 'اتصال'],
  ['Armenian', 'Այս աշխատանքներ են էին և ըստ որ է', 'աշխատանք'],
  ['Bulgarian', 'Книгата е била близо, благодаря на това, че бяха в нея.', 'книга'],
  ['Hindi', 'इत्यादि किताबें द्वारा उन्हें इन्हें और है में', 'किताब'],
  ['Indonesian', 'Buku ini adalah bukunya dan aku akan antara apa yang anda', 'buku'],
  ['Irish', 'Tá eolaíochta ag an chuig chun ach ar gach beirt', 'eolaíocht'],
  ['Lithuanian', 'Knygos yra ir kad bet kai jis buvo ant tai', 'knyga'],
  ['Nepali', 'पुस्तकहरू अर्को अरूलाई अर्थात आदि अलग आज', 'पुस्तक'],
  ['Serbian', 'Knjige su dobar dok duž dva gde gore i na', 'knjiga'],
  ['Tamil', 'புத்தகங்கள் அல்லது அவர் நான் உள்ள அந்த', 'புத்தகம்'],
];

for (const [language, text, query] of inflected)
  test(`finds another form of a word in ${language}`, () => {
    assert.ok(
      finds(query, text),
      JSON.stringify([new WordTokenizer().termsOfPassage(text), new WordTokenizer().termsOfQuestion(query)]),
    );
  });

test('finds paths, versions, error codes, numbers, and names in code', () => {
  const code = 'parseHTTPResponse(path) in src/net/http-client.ts throws ECONNRESET or TS2345 since 1.2.3';
  for (const query of [
    ...['parseHTTPResponse', 'parse_http_response', 'http response', 'HTTP'],
    ...[
      'src/net/http-client.ts',
      'http-client',
      'http-client.ts',
      'ECONNRESET',
      'econnreset',
      'TS2345',
      '1.2.3',
    ],
  ])
    assert.ok(finds(query, code), query);
  // The whole identifier is a term too, so that it scores higher than its parts.
  const terms = passage(code);
  for (const whole of ['parsehttprespons', 'econnreset', 'ts2345', '1.2.3'])
    assert.ok(terms.includes(whole), whole);
});

test('treats names of object properties as ordinary words', () => {
  assert.deepEqual(question('constructor toString hasOwnProperty').slice(0, 2), ['constructor', 'tostr']);
  assert.deepEqual(question('__proto__'), ['proto']);
});

test('returns terms without spaces, the same from the quick and the full pattern', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()),
      (text) => {
        for (const term of passage(text)) assert.match(term, /^[^\s]+$/u);
        // A Greek letter in the text selects the full pattern instead of the quick one.
        assert.deepEqual(passage(`λ ${text}`).slice(1), passage(text));
      },
    ),
    { numRuns: rounds(200, 1_000) },
  );
});

test('classifies every character alike with the quick and the full pattern', () => {
  const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
  const tokenizer = new WordTokenizer();
  for (const sign of signs.filter((each) => LATIN_TEXT.test(each))) {
    const text = `a${sign}b ${sign}-\nb c${sign}# 1${sign}2`;
    const full = tokenizer.termsOfPassage(`${text} λ`).filter((term) => term !== 'λ');
    assert.deepEqual(full, tokenizer.termsOfPassage(text), JSON.stringify(sign));
  }
});

test('truncates an endless word', () => {
  for (const term of passage('A1b'.repeat(100_000))) assert.ok(term.length <= 64);
});

test('weights the name of a definition more than a word that code only mentions', () => {
  const counted = (text: string, name: string): number =>
    new WordTokenizer().termsOfPassage(text).filter((term) => term === name).length;
  const mentioned = counted('retry(socket)', 'retri');
  for (const text of [
    'def retry(socket):\n    pass',
    'async function retry(socket) {\n}',
    'fn retry(socket: Socket) {\n}',
    '  public async retry(socket: Socket): Promise<void> {\n  }',
    'static int retry(struct socket *s) {\n}',
  ])
    assert.ok(counted(text, 'retri') > mentioned, text);
  for (const text of ['  if (retry) {\n  }', '  for (retry of all) {\n  }', '  call(retry, () => {\n  });'])
    assert.equal(counted(text, 'retri'), mentioned, text);
  assert.equal(counted('function retry(socket) {\n}', 'retri'), counted('def retry(socket):', 'retri'));
});

test('weights the documentation of a Python definition more than other strings', () => {
  const count = (text: string): number => passage(text).filter((term) => term === 'drain').length;
  for (const text of [
    'def empty(pool):\n    """Drains the pool."""\n',
    "class Pool:\n  r'''\n  Drains itself.\n  '''\n  size = 3\n",
  ])
    assert.equal(count(text), 2, text);
  for (const text of ['task = """drain the pool"""', 'def empty(pool):\n    """Drains the pool.\n'])
    assert.equal(count(text), 1, text);
});

test('finds definitions in linear time', () => {
  assertLinear((size) => {
    const text = `${'word '.repeat(5 * size)}${'('.repeat(5 * size)}\n${'a (b) '.repeat(2 * size)}{\n`;
    new WordTokenizer().termsOfPassage(text);
  }, 200);
});

test('drops English question words only from English questions', () => {
  const questionTerms = (text: string): string[] => {
    const tokenizer = new WordTokenizer();
    tokenizer.seen = (1 << LANGUAGES.length) - 1;
    return tokenizer.termsOfQuestion(text);
  };
  assert.ok(!questionTerms('Which ships are mentioned in the article?').includes('mention'));
  assert.ok(
    questionTerms('Was ist in der Tabelle unter Stated noted?').some((term) => term.startsWith('not')),
  );
});

const MIXED_TEXTS = [
  'The pump runs at 1.5 bar, and the pumps of Ada’s state-of-the-art plant run in 2019.',
  'function readFileSync(path) {\n  return open(path);\n}\nasync run(pumpName) {\n}\n',
  'Die Pumpe läuft und die Pumpen laufen nicht, weil das Ventil in der Anlage zu ist.',
  '水泵在工厂运行。 ポンプは動く。 ปั๊มทำงาน',
];

test('counts the terms of a question as they are in a passage', () => {
  const count = (
    tokenizer: WordTokenizer,
    text: string,
    questionTerms: ReadonlyMap<string, number>,
  ): unknown => {
    const counts = new Map<string, number>();
    const spellings: string[] = [];
    const terms = tokenizer.termsOfPassage(text, (term) => spellings.push(term));
    for (const term of [...spellings, ...terms])
      if (questionTerms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return {
      counts: [...counts],
      length: terms.filter((term) => questionTerms.has(term) || !term.startsWith(STOP_MARK)).length,
    };
  };
  const text = fc.oneof(fc.constantFrom(...MIXED_TEXTS), fc.string({ unit: 'grapheme', maxLength: 60 }));
  const tokenizer = new WordTokenizer();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), text, fc.nat(7), (texts, query, gap) => {
      const questionTerms = new Map(
        tokenizer
          .termsOfPassage(query)
          .filter((_, i) => i % (gap + 1) === 0)
          .map((term) => [term, 1]),
      );
      for (const each of [...texts, query]) {
        const { counts, length } = tokenizer.countTerms(each, questionTerms);
        assert.deepEqual({ counts: [...counts], length }, count(tokenizer, each, questionTerms));
      }
    }),
    { numRuns: rounds(200, 2_000) },
  );
});

test('looks up only words of the question when it counts terms again', () => {
  class WatchedQuestion extends Map<string, number> {
    lookups = 0;
    override has(term: string): boolean {
      this.lookups++;
      return super.has(term);
    }
  }
  const text = Array.from({ length: 500 }, (_, i) => `word${'abcdefghij'[i % 10] ?? ''}s pump`).join(' ');
  const tokenizer = new WordTokenizer();
  tokenizer.countTerms(text, new Map());
  const questionTerms = new WatchedQuestion([['pump', 1]]);
  assert.equal(tokenizer.countTerms(text, questionTerms).counts.get('pump'), 500);
  assert.equal(questionTerms.lookups, 500);
});
