import { t } from '@vscode/l10n';
import { citedMarkdown, withFootnotes } from '../../../core/domain/answer-markdown.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import type { BoardStep, Holder, Product, ProductCheck, Research, StepState } from './project.ts';
import { verdictFootnotes, type VerdictMarkStyle } from '../../../core/domain/verdict-marks.ts';

/**
 * Returns a research project as Markdown: its goal, its plan with the outcome of each step, and each result with its
 * footnotes. Nothing in it loads or runs when it is shown.
 */
export function researchAsMarkdown(
  research: Research,
  products: readonly Product[],
  style: VerdictMarkStyle,
): string {
  const { goal, report, reason, steps } = research;
  const parts = [`# ${sanitizeWords(goal)}`];
  if (report !== undefined) parts.push(t('Report: {0}', sanitizeWords(report)));
  if (reason !== undefined && reason !== '') parts.push(sanitizeWords(reason));
  if (steps.length > 0)
    parts.push(steps.map((step, place) => `${String(place + 1)}. ${stepLine(step)}`).join('\n'));
  let before = 0;
  for (const [place, step] of steps.entries()) {
    const product = products.find(({ id }) => id === step.produces);
    if (product === undefined) continue;
    const { text, statements, citations, check } = product;
    const answer = { kind: 'written' as const, model: '', text, statements, citations };
    parts.push(
      `## ${String(place + 1)} ${sanitizeWords(step.target)}`,
      citedMarkdown(answer, style, before).trim(),
    );
    parts.push(...cutLines(check));
    before += Math.max(0, ...citations.map(({ number }) => number));
  }
  const text = parts.join('\n\n');
  return withFootnotes(text, verdictFootnotes(text));
}

const STATES: Readonly<Record<StepState, () => string>> = {
  blocked: () => t('Blocked'),
  done: () => t('Done'),
  failed: () => t('Failed'),
  'in-progress': () => t('In progress'),
  ready: () => t('Ready'),
};

/** Formats a step: `Say what the hens eat. (Done, You)`. */
function stepLine({ target, state, holder, reason }: BoardStep): string {
  const who = holder === undefined ? [] : [holderInWords(holder)];
  const why = state === 'failed' && reason !== undefined ? [sanitizeWords(reason)] : [];
  return `${sanitizeWords(target)} (${[STATES[state](), ...who, ...why].join(', ')})`;
}

function cutLines({ cut }: ProductCheck): string[] {
  if (cut.length === 0) return [];
  return [
    [
      t('Removed because no source supports it:'),
      ...cut.map((sentence) => `- ${sanitizeWords(sentence)}`),
    ].join('\n'),
  ];
}

function holderInWords({ kind, name }: Holder): string {
  if (kind === 'model') return t('Model {0}', sanitizeWords(name));
  // A member of the notebook's team.
  return name === '' ? t('You') : sanitizeWords(name);
}
