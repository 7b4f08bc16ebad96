import * as vscode from 'vscode';
import type { ResearchStart } from '../../messages/research.ts';
import type { Bounds } from '../../notebook/research.ts';

const MINUTE = 60_000;

/** What a research begins with, as the settings say; its bounds and options can be changed before each. */
export function researchDefaults(): Omit<ResearchStart, 'goal'> {
  const settings = vscode.workspace.getConfiguration('openNotebook.research');
  const bound = (key: string, factor = 1): number | undefined => {
    const value = Number(settings.get<unknown>(key, 0));
    return Number.isFinite(value) && value > 0 ? value * factor : undefined;
  };
  const bounds: Bounds = {
    dollars: bound('dollars'),
    tokens: bound('tokens'),
    time: bound('minutes', MINUTE),
    requests: bound('requests'),
    toolCalls: bound('toolCalls'),
  };
  const workers = Math.round(Number(settings.get<unknown>('workers', 2)));
  return {
    bounds,
    options: {
      approves: settings.get<unknown>('approvePlan', true) !== false,
      keepsUnsupported: settings.get<unknown>('keepUnsupported', false) === true,
      workers: Number.isFinite(workers) ? Math.min(8, Math.max(1, workers)) : 2,
      tools: [],
    },
  };
}
