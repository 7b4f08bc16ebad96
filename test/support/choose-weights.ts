import { readFileSync, writeFileSync } from 'node:fs';

/** Candidate values for each weight. */
export type Tried<Weights> = Readonly<Record<keyof Weights, readonly number[]>>;

/**
 * Finds the best weights, starting from the current ones. Each weight in turn gets its best value, until no change
 * improves the result by `least`, since less is chance. Changes the weights in place, as `measure` reads them.
 */
export async function chooseWeights<Weights extends Record<keyof Weights, number>>(
  weights: Weights,
  tried: Tried<Weights>,
  measure: () => number | Promise<number>,
  least: number,
): Promise<Weights> {
  const best = { ...weights };
  let value = await measure();
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const name of Object.keys(tried) as (keyof Weights)[])
      for (const weight of tried[name]) {
        if (weight === best[name]) continue;
        Object.assign(weights, best, { [name]: weight });
        const reached = await measure();
        if (reached <= value + least) continue;
        value = reached;
        Object.assign(best, { [name]: weight });
        isBetter = true;
      }
  }
  Object.assign(weights, best);
  return best;
}

/**
 * Measures on each part of the data how well weights do that were chosen without it, and restores the current weights.
 * These may know all the data, so each choice begins in the middle of the candidates.
 */
export async function measureUnseen<Weights extends Record<keyof Weights, number>, Part, Score>(
  weights: Weights,
  tried: Tried<Weights>,
  parts: readonly Part[],
  choose: (others: readonly Part[]) => Promise<unknown>,
  measure: (part: Part) => Score | Promise<Score>,
): Promise<Score[]> {
  const before = { ...weights };
  const scores: Score[] = [];
  for (const part of parts) {
    for (const name of Object.keys(tried) as (keyof Weights)[]) {
      const values = tried[name];
      Object.assign(weights, { [name]: values[Math.floor(values.length / 2)] });
    }
    await choose(parts.filter((other) => other !== part));
    scores.push(await measure(part));
    Object.assign(weights, before);
  }
  return scores;
}

/** Writes weights into their file, each at its name, and the text of `told` above each constant. */
export function writeWeights(
  file: string,
  weights: Readonly<Record<string, number>>,
  told: Readonly<Record<string, string>>,
): void {
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of Object.entries(weights))
    text = text.replace(new RegExp(`(?<=\\b${name}: )[\\d._]+`), (stands) =>
      Number(stands.replaceAll('_', '')) === value ? stands : grouped(value),
    );
  for (const [name, comment] of Object.entries(told))
    text = text.replace(new RegExp(`(?:/\\*\\*(?:(?!\\*/)[^])*\\*/\n)?(?=export const ${name} )`), () =>
      docComment(comment),
    );
  writeFileSync(file, text);
}

/** Writes a number as in code: 1_200. */
function grouped(value: number): string {
  return String(value).replace(/^\d{4,}/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '_'));
}

/** Writes a text as the comment above a constant. */
export function docComment(text: string): string {
  return `/**\n${text.replaceAll(/(\S.{0,112}\S|\S)(?:\s+|$)/g, ' * $1\n')} */\n`;
}

/** Writes a share as in the comments of weights. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
