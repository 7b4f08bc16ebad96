/** `true` in `npm run test:all`, which runs every test and the long versions of those that have a short one. */
export const isEverything = process.env['TEST_ALL'] === '1';

/**
 * Returns how often a test repeats what it does.
 * @param {number} usual in `npm test`
 * @param {number} everything in `npm run test:all`
 */
export function rounds(usual, everything) {
  return isEverything ? everything : usual;
}
