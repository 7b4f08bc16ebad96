import assert from 'node:assert/strict';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { knownModels, parseCatalog } from '../../src/features/semantic-search/service/catalog.ts';
import { checkModel, openStaticModel } from '../../src/features/semantic-search/service/static-model.ts';
import {
  makeCatalog,
  describeFiles,
  modelOfWords,
  wordTokenizer,
  writeModel,
  type TestModel,
} from '../support/made-model.ts';
import { root } from '../support/paths.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('meaning-');
let folderCount = 0;

function write(model: TestModel): string {
  const at = join(folder, String(++folderCount));
  writeModel(at, model);
  return at;
}

async function embedAll(at: string, ...texts: string[]): Promise<(number[] | undefined)[]> {
  const model = await openStaticModel(at);
  try {
    return texts.map((text) => model.embed(text)).map((vector) => vector && [...vector]);
  } finally {
    await model.close();
  }
}

/** Models of `model2vec-rs` with their expected vectors; see the README next to them. */
const reference = join(root, '..', 'shared', 'models');

describe('a static model', () => {
  test('returns the vectors of the reference', async (t) => {
    if (!existsSync(reference)) {
      t.skip(`${reference} is not here.`);
      return;
    }
    const expected = (name: string): number[] =>
      (JSON.parse(readFileSync(join(reference, `embeddings_${name}.json`), 'utf8')) as [number[]])[0];
    const long = Array.from({ length: 1_000 }, () => 'hello').join(' ');
    const actual = [
      ...(await embedAll(join(reference, 'test-model-float32'), 'hello world', long)),
      ...(await embedAll(join(reference, 'test-model-vocab-quantized'), long)),
    ];
    for (const [index, name] of ['short', 'long', 'vocab_quantized'].entries())
      for (const [at, value] of expected(name).entries())
        assert.ok(
          Math.abs((actual[index]?.[at] ?? 0) - value) <= 1e-5 * Math.abs(value),
          `${name} ${String(at)}`,
        );
  });

  test('averages its known tokens to a length of one, unless its configuration says otherwise', async () => {
    const model = modelOfWords({ oil: [3, 0], car: [1, 4] });
    assert.deepEqual(await embedAll(write(model), 'Oil!', 'oil car nothing', 'nothing', ''), [
      [1, 0],
      [Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)],
      undefined,
      undefined,
    ]);
    const plain = write({ ...model, config: { normalize: false } });
    assert.deepEqual(await embedAll(plain, 'oil car car'), [[5 / 3, 8 / 3].map(Math.fround)]);
  });

  test('reads numbers of every width, shared rows of tokens, and weights', async () => {
    const values = [0, 0, 0, 0, 3, 4, -8, 6];
    for (const type of ['F16', 'F32', 'F64', 'I8'] as const) {
      const tensors = { embeddings: { type, shape: [4, 2], values } };
      const at = write({ tokenizer: wordTokenizer(['a', 'b']), tensors });
      assert.deepEqual(
        await embedAll(at, 'a', 'b'),
        [[0.6, 0.8].map(Math.fround), [-0.8, 0.6].map(Math.fround)],
        type,
      );
    }
    const quantized = {
      tokenizer: wordTokenizer(['a', 'b', 'c']),
      tensors: {
        weights: { type: 'F64', shape: [5], values: [1, 1, 0.5, 2, 1] },
        embeddings: { type: 'F16', shape: [2, 2], values: [2, 0, 0, 2] },
        mapping: { type: 'I64', shape: [5], values: [0, 0, 1, 0, 1] },
      },
      config: { normalize: false },
    } as const;
    assert.deepEqual(await embedAll(write(quantized), 'a', 'b', 'a c'), [
      [0, 1],
      [4, 0],
      [0, 1.5],
    ]);
  });

  test('is rejected if its files aren’t those of a model', async () => {
    const good = modelOfWords({ oil: [1, 0] });
    const refused = async (change: (at: string) => void, code = 'damaged'): Promise<void> => {
      const at = write(good);
      change(at);
      await assert.rejects(openStaticModel(at), { code });
    };
    const weights = 'model.safetensors';
    await refused((at) => {
      writeFileSync(join(at, 'tokenizer.json'), '<!doctype html>');
    });
    await refused((at) => {
      writeFileSync(join(at, 'config.json'), 'no');
    });
    await refused((at) => {
      truncateSync(join(at, weights), 40);
    });
    await refused((at) => {
      truncateSync(join(at, weights), readFileSync(join(at, weights)).length - 1);
    });
    await refused((at) => {
      writeFileSync(join(at, weights), '<!doctype html><title>Sign in</title>');
    });
    // The vocabulary has more tokens than there are rows.
    await refused((at) => {
      writeFileSync(join(at, 'tokenizer.json'), JSON.stringify(wordTokenizer(['oil', 'car'])));
    });
    for (const tensors of [
      { other: { type: 'F32', shape: [3, 1], values: [1, 2, 3] } },
      { embeddings: { type: 'F32', shape: [3], values: [1, 2, 3] } },
    ] as const)
      await assert.rejects(openStaticModel(write({ ...good, tensors })), { code: 'damaged' });
  });
});

describe('a downloaded model', () => {
  test('is checked by its checksums and its metadata', async () => {
    const at = join(folder, 'checked');
    const files = writeModel(at, modelOfWords({ the: [1, 2, 2] }));
    const checked = await checkModel(at, files);
    assert.deepEqual(checked, { dimension: 3, sha256: files[2]?.sha256 });
    const unsaid = files.map((file) => ({ ...file, sha256: undefined }));
    assert.deepEqual(await checkModel(at, unsaid), checked);
    const bytes = readFileSync(join(at, 'model.safetensors'));
    bytes[bytes.length - 1] = 7;
    writeFileSync(join(at, 'model.safetensors'), bytes);
    await assert.rejects(checkModel(at, files), {
      code: 'damaged',
      message: /^Discarded model\.safetensors because its checksum doesn’t match/,
    });
    const mute = write(modelOfWords({ oil: [1, 0] }));
    await assert.rejects(checkModel(mute, describeFiles(mute)), { code: 'damaged' });
  });
});

describe('a list of models', () => {
  test('is read unchanged, without links to other locations', () => {
    const files = knownModels()[0]?.files ?? [];
    const [model] = parseCatalog(makeCatalog('own', files));
    assert.deepEqual(model, { name: 'own', path: 'own', licence: 'MIT', languages: 'English', files });
    const bad = [
      'no',
      '[]',
      '{}',
      makeCatalog('../own', files),
      makeCatalog('own.part', files),
      makeCatalog('own', files, '../elsewhere'),
      makeCatalog('own', files, 'https://example.org'),
      makeCatalog('own', files.slice(1)),
      makeCatalog(
        'own',
        files.map((file) => ({ ...file, sha256: 'none' })),
      ),
      makeCatalog(
        'own',
        files.map((file) => ({ ...file, bytes: -1 })),
      ),
    ];
    for (const json of bad)
      assert.throws(
        () => parseCatalog(json),
        { code: 'damaged', message: /isn’t a valid list of models/ },
        json,
      );
  });

  test('has the default models with everything needed to check them', () => {
    for (const { name, path, files } of knownModels()) {
      assert.match(path, new RegExp(`^minishlab/${name}/resolve/[0-9a-f]{40}$`));
      assert.deepEqual(
        files.map((file) => file.name),
        ['config.json', 'tokenizer.json', 'model.safetensors'],
      );
      for (const { sha256, bytes } of files) assert.ok(/^[0-9a-f]{64}$/.test(sha256 ?? '') && bytes > 0);
    }
  });
});
