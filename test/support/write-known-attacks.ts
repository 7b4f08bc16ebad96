// Searches for attacks on new or changed patterns of the shipped code, and saves them, so that tests needn't search.
// Run it after you add or change patterns: node test/support/write-known-attacks.ts
import { writeFileSync } from 'node:fs';
import { shippedPatterns } from './check-patterns.ts';
import {
  attacksOn,
  knownAttacks,
  knownAttacksFile,
  recheckVersion,
  type KnownAttacks,
} from './slow-patterns.ts';

const attacks = [...(await attacksOn(shippedPatterns(), knownAttacks()))];
const parts = Object.fromEntries(attacks.sort(([a], [b]) => (a < b ? -1 : 1)));
const known: KnownAttacks = { recheck: recheckVersion, parts };
writeFileSync(knownAttacksFile, `${JSON.stringify(known, null, 2)}\n`);
