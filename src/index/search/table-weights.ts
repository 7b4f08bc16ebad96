// These find 66 % of rows, compared with 60 % for weights of 2 and 3, but one fewer of 54 sentences of prose. On the
// reports of `npm run bench -- tables`, the right page is among the first places for .66 of questions, compared with
// .58 without them; for prose, .74 compared with .82. Quotes and everyday questions don't change.

/**
 * Chosen by test/support/fit-tables.ts on generated annual reports with other seeds than those of `npm run bench --
 * tables`. Questions that a sentence of prose with a year answers counterbalance larger weights. On three held-out
 * seeds, the right page is among the first for 66 % of rows and 87 % of prose.
 */
export const TABLE_WEIGHTS = {
  /** Share of its score added to a row that matches the whole question together with its headers. */
  row: 3,
  /** Multiplier of this gain for places, whose scores include sections and headings. */
  place: 4,
};
