import { withNotebook } from '../bench/asking.ts';
import { engines, readReports, type Report } from '../bench/tables.ts';

/** Generated reports of one seed in a notebook of their own, with their questions, and the engines that search them. */
export interface ReportNotebook {
  readonly seed: number;
  readonly reports: readonly Report[];
  readonly searches: readonly ReturnType<(typeof engines)[string]>[];
}

const COMPANIES = 3;
const YEARS = 1;

/** Opens a notebook of reports for each seed with the engines of these names, and closes them after `action`. */
export async function withReportNotebooks(
  seeds: readonly number[],
  engineNames: readonly string[],
  action: (notebooks: readonly ReportNotebook[]) => Promise<void>,
  opened: readonly ReportNotebook[] = [],
): Promise<void> {
  const [seed, ...others] = seeds;
  if (seed === undefined) {
    await action(opened);
    return;
  }
  const reports = await readReports(seed, COMPANIES, YEARS);
  await withNotebook(reports, async (index) => {
    const searches = engineNames.flatMap((name) => engines[name]?.(index, reports) ?? []);
    await withReportNotebooks(others, engineNames, action, [...opened, { seed, reports, searches }]);
  });
}
