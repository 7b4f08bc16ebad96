import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PassageTable } from '../../src/index/search/lexical/passage-table.ts';
import { saveAndRead } from '../support/snapshots.ts';
import { rounds } from '../support/test-size.mjs';

const DOCUMENTS = 5;

test('finds the slots and documents of rows after any adding, removing, compaction, and reloading', () => {
  /** Rows of one database ascend, those of merged notebooks have gaps, and some differ only in their high bits. */
  const row = fc.oneof(
    fc.integer({ min: 1, max: 9_000 }),
    fc.integer({ min: 1, max: 40 }).map((high) => high * 2 ** 32 + 1),
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  );
  const batch = fc.record({
    added: fc.array(row, { maxLength: 900 }),
    removed: fc.array(row, { maxLength: 300 }),
    reloads: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
      let table = new PassageTable();
      let slots = new Map<number, number>();
      let last = 0;
      const remove = (removed: number): void => {
        const slot = slots.get(removed);
        if (slot !== undefined) assert.ok(table.remove(slot));
        slots.delete(removed);
      };
      for (const { added, removed, reloads } of batches) {
        for (const id of added) {
          remove(id);
          table.setRow(++last, id);
          table.setDocument(last, id % DOCUMENTS);
          slots.set(id, last);
        }
        for (const id of removed) remove(id);
        if (reloads) {
          const moved = new Uint32Array(last + 1);
          for (const [i, slot] of [...slots.values()].entries()) moved[slot] = i + 1;
          table.compact(moved);
          slots = new Map(Array.from(slots.keys(), (one, i) => [one, i + 1]));
          last = slots.size;
          table = PassageTable.read(saveAndRead((writer) => table.write(writer)));
        }
        assert.equal(table.size, slots.size);
        assert.deepEqual(table.rows(), [...slots.keys()]);
        for (const [one, slot] of slots) assert.equal(table.slot(one), slot);
        for (const id of removed) assert.equal(table.slot(id), undefined);
        assert.equal(table.slot(0), undefined);
        for (let document = 0; document < DOCUMENTS; document++)
          assert.deepEqual(
            table.rowsOfDocument(document).toSorted((a, b) => a - b),
            [...slots.keys()].filter((one) => one % DOCUMENTS === document).toSorted((a, b) => a - b),
          );
      }
    }),
    { numRuns: rounds(40, 400) },
  );
});
