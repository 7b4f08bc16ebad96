import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBoilerplate } from '../../src/core/language/boilerplate.ts';

describe('legal boilerplate', () => {
  for (const phrase of [
    'All rights reserved.',
    'Alle Rechte vorbehalten.',
    'TOUS DROITS RÉSERVÉS',
    'Permission is hereby granted, free of charge',
    'SPDX-License-Identifier: MIT',
    'licensed under the Apache License',
    'WITHOUT WARRANTIES OR CONDITIONS: without warranties or conditions of any kind',
    'the implied\nwarranties of merchantability',
    'IN NO EVENT SHALL THE AUTHORS',
    'These are forward-looking statements.',
    'Actual results may differ.',
    'The company undertakes no duty to revise them.',
    'the safe harbor provisions',
    'zukunftsgerichtete Aussagen',
    'des déclarations prospectives',
    'This constitutes the entire agreement.',
    'in witness whereof',
    'If a clause is held to be invalid',
    'The parties have executed this Agreement.',
  ])
    it(`is found in “${phrase.replace('\n', ' ')}”`, () => {
      assert.ok(isBoilerplate(`Some words come before. ${phrase}`));
    });

  it('is not found in other sentences with the same words', () => {
    assert.ok(
      !isBoilerplate('The seat was reserved for the event, as results differ, and the harbor was held.'),
    );
  });
});
