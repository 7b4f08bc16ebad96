import { t } from '@vscode/l10n';
import type { TokenUsage, UsageEntry } from './usage.ts';
import { addedUsage, dollars } from './usage.ts';

/** What models took and gave, as Markdown: a table by day and model, the last day first, under what it comes to. */
export function usageReport(entries: readonly UsageEntry[], language?: string): string {
  const heading = `# ${t('What models took and gave')}\n\n`;
  const total = entries.reduce<TokenUsage | undefined>(addedUsage, undefined);
  if (total === undefined) return `${heading}${t('No model was asked in this notebook yet.')}\n`;
  const number = (value: number): string => value.toLocaleString(language);
  const cost = (usage: TokenUsage): string =>
    usage.cost === undefined ? '' : t('about {0}', dollars(usage.cost, language));
  const rows = entries.map((entry) => [
    entry.day,
    cell(entry.model),
    cell(entry.provider),
    number(entry.requests),
    number(entry.input),
    number(entry.output),
    share(entry),
    cost(entry),
  ]);
  const titles = [
    t('Day'),
    t('Model'),
    t('From'),
    t('Requests'),
    t('Tokens in'),
    t('Tokens out'),
    t('Estimated'),
    t('Cost'),
  ];
  const table = [titles, titles.map((_, i) => (i < 3 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const [input, output] = [number(total.input), number(total.output)];
  const sum =
    total.cost === undefined
      ? t('{0} tokens in and {1} out in this notebook.', input, output)
      : t('{0} tokens in and {1} out in this notebook, {2}.', input, output, cost(total));
  const notes = [
    total.estimated > 0
      ? t('Where an endpoint does not say what it counted, tokens are estimated here.')
      : '',
    entries.some((entry) => entry.cost === undefined)
      ? t('Costs are told where prices are known: set them in `openNotebook.endpoints`.')
      : '',
  ].filter((note) => note !== '');
  return `${heading}${[sum, table, ...notes].join('\n\n')}\n`;
}

function share({ estimated, input, output }: TokenUsage): string {
  if (estimated === 0) return '';
  return estimated >= input + output
    ? t('all')
    : `${String(Math.ceil((100 * estimated) / (input + output)))} %`;
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
