import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberIn, wantsList, wantsTable } from '../../src/core/language/requested-format.ts';

test('distinguishes a request for a table from a mention of one, in ten languages', () => {
  for (const task of [
    'Compare the records in a table',
    'Vergleiche die Rekorde in einer Tabelle',
    'Vergelijk de records in een tabel',
    'Compare les records dans un tableau',
    'Compare les records sous forme de tableau',
    'Compara los récords en una tabla',
    'Compara los récords en forma de tabla',
    'Compare os recordes em uma tabela',
    'Confronta i record in una tabella',
    'Составь таблицу рекордов',
    '用表格比较各项纪录',
    '把各项纪录做成表',
    '記録を一覧表で比べる',
    '記録を表として並べる',
  ])
    assert.ok(wantsTable(task), task);
  for (const task of [
    'Say what the table on page 3 shows',
    'Say what Table 4 shows',
    'Sage, was die Tabelle auf Seite 3 zeigt',
    'Zeg wat de tabel op bladzijde 3 toont',
    'Dis ce que montre le tableau',
    'Di lo que dice la tabla',
    'Diga o que diz esta tabela',
    'Di che cosa dice questa tabella',
    'Скажи, что следует из таблицы',
    '说明作者表示什么',
    'Tell the comfortable chair from the stable one',
  ])
    assert.ok(!wantsTable(task), task);
});

test('recognizes a request for a list in ten languages', () => {
  for (const task of [
    'List the records',
    'Mache eine Liste der Rekorde',
    'Maak een lijst van de records',
    'Fais une liste des records',
    'Haz una lista de los récords',
    'Faça uma lista dos recordes',
    'Fai un elenco dei record',
    'Составь список рекордов',
    '列出各项纪录',
    '記録を箇条書きにする',
  ])
    assert.ok(wantsList(task), task);
  for (const task of ['Say who listens', 'Sag, wer das hört', 'Tell of the artist', '説明する'])
    assert.ok(!wantsList(task), task);
});

test('reads quantities in digits and words', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['3', 3],
    [' -1 ', -1],
    ['12 rows', 12],
    ['five', 5],
    ['fünf Zeilen', 5],
    ['vijf', 5],
    ['cinq', 5],
    ['cinco', 5],
    ['cinque', 5],
    ['пять', 5],
    ['五', 5],
    ['2.5', 2.5],
    ['1,000', Number.NaN],
    ['any', undefined],
    ['', undefined],
    ['as many as there are', undefined],
  ];
  for (const [words, number] of cases) assert.equal(numberIn(words), number, words);
});
