import type { JSHandle, Locator } from '@playwright/test';

/** Frames that take more work than this, in milliseconds, are measured again: garbage collection is not their own work. */
const SUSPECT_WORK_MS = 30;
const MAX_REPEATS = 4;

/**
 * Does something before each of some frames, and returns the most work that one of them took: the processor time of the
 * page's thread, in milliseconds. A busy machine doesn't change it.
 */
export async function measureFrames(
  area: Locator,
  count: number,
  action: (element: Element, frame: number) => void,
): Promise<number> {
  const page = area.page();
  const act = (await page.evaluateHandle(`(${String(action)})`)) as JSHandle<typeof action>;
  const runFrame = (frame: number): Promise<void> =>
    area.evaluate(
      async (element, { act: run, frame: at }) => {
        await new Promise(requestAnimationFrame);
        run(element, at);
        await new Promise(requestAnimationFrame);
      },
      { act, frame },
    );
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workSoFar = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  let most = 0;
  for (let frame = 0; frame < count; frame++) {
    let least = Infinity;
    for (let repeat = 0; repeat <= MAX_REPEATS && least > SUSPECT_WORK_MS; repeat++) {
      const before = await workSoFar();
      await runFrame(frame);
      least = Math.min(least, (await workSoFar()) - before);
    }
    most = Math.max(most, least);
  }
  await session.detach();
  return most;
}
