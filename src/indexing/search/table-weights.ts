/**
 * Chosen on made annual reports of other seeds than those of `npm run bench -- tables`, where questions whose answer is a
 * sentence of prose with a year in it weigh against larger ones.
 */
export const tableWeights = {
  /** By how much of its score a row is raised that holds all of a question together with what stands above it. */
  row: 2,
  /** So many times as much in places, whose sections and headings count, too. */
  place: 3,
};
