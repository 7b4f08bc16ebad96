import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutBlocks } from '../../src/parsers/web/blocks.ts';
import { CONTENT_FEATURES_HASH } from '../../src/parsers/web/content-model.ts';
import { describer, FEATURE_NAMES, featureRow } from '../../src/parsers/web/features.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { hashFeatures } from '../../src/parsers/web/trees.ts';

test('names each feature of a block once', () => {
  const { body, linkedData } = parsePage(
    '<main><h1>Harbor</h1><p>The ferry leaves at noon.</p><p>It returns at six.</p></main>',
  );
  const { blocks, containers } = cutBlocks(body);
  const facts = { url: 'https://example.org/harbor', title: 'Harbor', openGraphType: '', linkedData };
  const describe = describer(blocks, containers, facts, undefined);
  assert.ok(blocks.length >= 3);
  for (const index of blocks.keys()) assert.equal(featureRow(describe(index)).length, FEATURE_NAMES.length);
  assert.equal(new Set(FEATURE_NAMES).size, FEATURE_NAMES.length);
});

test('the hash of the model’s features is that of the features, and depends on their order', () => {
  assert.equal(hashFeatures(FEATURE_NAMES), CONTENT_FEATURES_HASH);
  assert.notEqual(hashFeatures(FEATURE_NAMES.toReversed()), CONTENT_FEATURES_HASH);
});
