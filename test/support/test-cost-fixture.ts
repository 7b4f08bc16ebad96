import type { TestInfo } from '@playwright/test';
import { basename } from 'node:path';
import { watchProcessorTime } from './processor-time.mjs';
import { recordTestCost } from './test-costs.mjs';

export interface CostFixtures {
  readonly cost: undefined;
}

type CostFixture = (args: object, use: (value: undefined) => Promise<void>, info: TestInfo) => Promise<void>;

/** One for each process of Playwright, which outlives its tests as the browser and the server do. */
let time: ReturnType<typeof watchProcessorTime> | undefined;

/** Returns a fixture that records the cost of each test of a tier: of its process, the browser, and VS Code. */
export function costFixture(tier: string): { cost: [CostFixture, { auto: true }] } {
  const cost: CostFixture = async (
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern.
    {},
    use,
    { file, titlePath },
  ) => {
    time ??= watchProcessorTime(process.pid);
    const before = time.read();
    await use(undefined);
    const test = `${basename(file)}: ${titlePath.slice(1).join(', ')}`;
    recordTestCost({ tier, test, seconds: time.read() - before });
  };
  return { cost: [cost, { auto: true }] };
}
