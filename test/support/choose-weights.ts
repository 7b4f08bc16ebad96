import { readFileSync, writeFileSync } from 'node:fs';

/** What is tried for each weight. */
export type Tried<Weights> = Readonly<Record<keyof Weights, readonly number[]>>;

/**
 * The weights that do best, found from those that stand: each in turn takes the value that does best, until none does
 * better by `least`, as less is chance. The weights are changed in place, as what is measured reads them.
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
      for (const one of tried[name]) {
        if (one === best[name]) continue;
        Object.assign(weights, best, { [name]: one });
        const reached = await measure();
        if (reached <= value + least) continue;
        value = reached;
        Object.assign(best, { [name]: one });
        isBetter = true;
      }
  }
  Object.assign(weights, best);
  return best;
}

/**
 * What weights that were chosen without a part of the data do on that part, for each part; the weights are those that
 * stood before afterwards. Those may know all of the data, so each choice begins in the middle of what is tried.
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

/** Puts weights into the file that holds them, each at its name, and above each constant what `told` says of it. */
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

/** A number as code has it: 1_200. */
function grouped(value: number): string {
  return String(value).replace(/^\d{4,}/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '_'));
}

/** A text as the comment above a constant. */
export function docComment(text: string): string {
  return `/**\n${text.replaceAll(/(\S.{0,112}\S|\S)(?:\s+|$)/g, ' * $1\n')} */\n`;
}

/** A share as the comments of weights have it. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
