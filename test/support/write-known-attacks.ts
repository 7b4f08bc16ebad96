// Looks for attacks on every pattern of the shipped code and keeps what it finds, so that tests look for those on new and
// changed patterns alone. To be run now and then: node test/support/write-known-attacks.ts
import { writeFileSync } from 'node:fs';
import { shippedPatterns } from './check-patterns.ts';
import { attacksOn, knownAttacksFile, recheckVersion, type KnownAttacks } from './slow-patterns.ts';

/** Longer than tests do, in milliseconds. */
const patience = 30_000;

const found = [...(await attacksOn(shippedPatterns(), patience, new Map()))];
const parts = Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
const known: KnownAttacks = { recheck: recheckVersion, parts };
writeFileSync(knownAttacksFile, `${JSON.stringify(known, null, 2)}\n`);
