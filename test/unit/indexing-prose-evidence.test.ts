import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';

const PROSE = 1;
const CODE = 2;
const note = 'The ferry to the island leaves at seven.';

/** Returns the terms by which a question is searched in a note and code, with the shares of their weights. */
async function sharesFor(question: string, code: string): Promise<ReadonlyMap<string, number>> {
  const index = PassageIndex.create((documentIds) => documentIds.includes(PROSE));
  await index.add([
    { id: 1, sourceId: 'notes', documentId: PROSE, terms: note },
    { id: 2, sourceId: 'code', documentId: CODE, terms: code },
  ]);
  return index.shareTerms(question);
}

async function termsFor(question: string, code: string): Promise<string[]> {
  return [...(await sharesFor(question, code)).keys()];
}

describe('a word that no text has', () => {
  it('isn’t searched by parts that only code has', async () => {
    const terms = await termsFor('What is the fare of the ferry?', 'const scale = { fa: 4, re: 2 };');
    assert.deepEqual(terms, ['fare', 'ferri']);
  });

  it('isn’t searched by similar words that only code has', async () => {
    assert.deepEqual(await termsFor('Which shore has the ferry?', 'let score = 0;'), ['ferri']);
  });

  it('isn’t searched by compounds that only code has', async () => {
    assert.deepEqual(await termsFor('ferry harbor', 'let harborclock = 0;'), ['ferri']);
  });

  it('is searched by similar words that prose has', async () => {
    assert.deepEqual(await termsFor('Where does the fery go?', 'let score = 0;'), ['ferri']);
  });

  it('is searched by words of code when the question asks for code', async () => {
    const terms = await termsFor('Which function has the ferry shore?', 'let score = 0;');
    assert.ok(terms.includes('score'), terms.join(' '));
  });

  it('is searched by words of code when prose has no word of the question', async () => {
    assert.deepEqual(await termsFor('Where is the shore?', 'let score = 0;'), ['score']);
  });
});

describe('a question that may be about code', () => {
  const code = 'def del_dir(dir): """Python 3 only."""';

  it('is searched by the abbreviations of its words in code', async () => {
    const shares = await sharesFor('Which function deletes a directory?', code);
    for (const term of ['del', 'dir']) assert.ok((shares.get(term) ?? 1) < 1, term);
  });

  it('is searched by the words of its abbreviations', async () => {
    assert.ok((await termsFor('Which function has the msg?', 'let message;')).includes('messag'));
  });

  it('isn’t searched by abbreviations if prose has a word of it', async () => {
    assert.deepEqual(await termsFor('Where is the directory of the ferry?', code), ['ferri']);
  });

  it('is searched less by the name of a programming language', async () => {
    assert.equal((await sharesFor('delete function python', code)).get('python'), 0.5);
    assert.equal((await sharesFor('Which island has the Python?', code)).get('python'), 1);
  });
});
