import { t } from '@vscode/l10n';
import { addedUsage, dollars, type TokenUsage, type UsageEntry } from '../../../core/domain/usage.ts';

/** Returns the token usage of models as Markdown: the total, then a table by day and model, latest day first. */
export function usageReport(entries: readonly UsageEntry[], language?: string): string {
  const heading = `# ${t('Model Usage')}\n\n`;
  const total = entries.reduce<TokenUsage | undefined>(addedUsage, undefined);
  if (total === undefined) return `${heading}${t('This notebook hasn’t used a model yet.')}\n`;
  const number = (value: number): string => value.toLocaleString(language);
  const cost = (usage: TokenUsage): string =>
    usage.cost === undefined ? '' : t('about {0}', dollars(usage.cost, language));
  const columns: readonly (readonly [title: string, align: string, cell: (entry: UsageEntry) => string])[] = [
    [t('Day'), '---', ({ day }) => day],
    [t('Model'), '---', ({ model }) => cell(model)],
    [t('Endpoint'), '---', ({ provider }) => cell(provider)],
    [t('Requests'), '--:', ({ requests }) => number(requests)],
    [t('Input tokens'), '--:', (entry) => number(entry.input)],
    [t('Output tokens'), '--:', (entry) => number(entry.output)],
    [t('Estimated'), '--:', share],
    [t('Cost'), '--:', cost],
  ];
  const filled = columns.filter(([, , format]) => entries.some((entry) => format(entry) !== ''));
  const table = [
    filled.map(([title]) => title),
    filled.map(([, align]) => align),
    ...entries.map((entry) => filled.map(([, , format]) => format(entry))),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const [input, output] = [number(total.input), number(total.output)];
  const sum =
    total.cost === undefined
      ? t('{0} tokens in and {1} out in this notebook.', input, output)
      : t('{0} tokens in and {1} out in this notebook, {2}.', input, output, cost(total));
  const notes = [
    total.estimated > 0 ? t('If an endpoint doesn’t report token counts, they’re estimated.') : '',
    entries.some((entry) => entry.cost === undefined)
      ? t('Costs include only models with known prices. Set prices in `openNotebook.endpoints`.')
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
