import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { citationKeyFormatter, parseCitationKeyPattern } from '../../src/core/domain/citation-key-pattern.ts';
import { isCitationKey } from '../../src/core/domain/cite-keys.ts';

const voyager = {
  title: 'Voyager: an open-ended agent',
  authors: [{ family: 'Wang', givenName: 'Guanzhi' }, { family: 'van der Berg' }],
  year: 2023,
};

const keyOf = (pattern: string, metadata: object = {}): string =>
  citationKeyFormatter(pattern)({ ...voyager, ...metadata });

suite('pattern of citation keys', () => {
  test('joins author, year, and words of the title', () => {
    assert.equal(keyOf('auth.lower + shorttitle(3, 3) + year'), 'wangVoyagerOpenEnded2023');
    assert.equal(keyOf('auth+year+shorttitle'), 'Wang2023Voyageropenended');
    assert.equal(keyOf('auth(2).upper + shortyear + veryshorttitle.lower'), 'WA23voyager');
    assert.equal(keyOf('auth(0,2).capitalize + "-" + title'), 'VanderBerg-VoyagerOpenEndedAgent');
  });

  test('creates keys that notes can cite', () => {
    assert.equal(keyOf("auth + '_' + year + '_' + veryshorttitle", { year: undefined }), 'Wang_Voyager');
    assert.equal(keyOf("'-' + auth + '--' + year + '.'", { year: undefined }), 'Wang');
    assert.equal(keyOf('auth + year', { authors: [{ family: 'O’Brién' }] }), 'OBrien2023');
    assert.equal(keyOf('auth + year', { authors: [{ family: '한국은행' }] }), '한국은행2023');
    const long = keyOf('title', { title: 'word '.repeat(50) });
    assert.ok(long.length <= 60 && isCitationKey(long), long);
  });

  test('uses the default key without a valid pattern or any of its parts', () => {
    for (const pattern of ['', 'authr + year', 'auth +', '[auth][year]'])
      assert.equal(keyOf(pattern), 'wang2023voyager', pattern);
    assert.equal(keyOf("auth + '_' + year", { authors: [], year: undefined }), 'voyageropen');
  });

  test('is accepted by the Settings editor if it can be parsed', () => {
    const { contributes } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as {
      contributes: { configuration: { properties: Record<string, { pattern?: string }> }[] };
    };
    const [source] = contributes.configuration.flatMap(
      ({ properties }) => properties['openNotebook.bibliography.citationKeys']?.pattern ?? [],
    );
    const accepted = new RegExp(source ?? '', 'u');
    assert.ok(accepted.test(''));
    const valid = ['auth', ' auth.lower + year ', "auth(3)+'-'+shorttitle(2,1)", 'auth(0, 2)', 'title.upper'];
    const invalid = [
      'auth year',
      'auth +',
      '+ year',
      'year(2)',
      'auth(',
      "'a b'",
      '\'a"',
      'Auth',
      'auth.abbr',
    ];
    for (const pattern of [...valid, ...invalid]) {
      assert.equal(parseCitationKeyPattern(pattern) !== undefined, valid.includes(pattern), pattern);
      assert.equal(accepted.test(pattern), valid.includes(pattern), pattern);
    }
  });
});
