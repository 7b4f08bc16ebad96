/**
 * A reporter for node:test that writes how many tests passed and failed, as JSON.
 * @param {AsyncIterable<{ type: string, data: any }>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* unitCounts(events) {
  for await (const { type, data } of events)
    // The summary of all files is the one that names no file.
    if (type === 'test:summary' && data.file === undefined)
      yield JSON.stringify({
        passed: data.counts.passed,
        failed: data.counts.failed + data.counts.cancelled,
      });
}
