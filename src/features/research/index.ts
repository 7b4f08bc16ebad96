import * as vscode from 'vscode';
import { registerCommandsByName } from '../../platform/register-commands.ts';
import { researchCommands } from './commands/research-commands.ts';
import { ResearchOnDemand, type ResearchParts } from './editor/research-on-demand.ts';
import { ResearchView } from './editor/research-view.ts';

/** Services that research projects use. */
interface ResearchServices extends ResearchParts {
  readonly showError: (error: unknown) => void;
}

/** Registered feature. */
interface Research extends vscode.Disposable {
  /** Revises a section of a report, which is the note with this title. */
  readonly reviseReport: (title: string) => Promise<void>;
  /** Stops all work before another notebook is shown. */
  readonly leave: () => Promise<void>;
}

/** Registers the commands, the Research view, and the pages of research projects. */
export function register(services: ResearchServices): Research {
  const { notebook, conversation, showError } = services;
  const research = new ResearchOnDemand(services);
  const view = new ResearchView(notebook);
  const disposables = vscode.Disposable.from(
    research,
    view,
    registerCommandsByName(researchCommands(conversation, research, view), showError),
  );
  return {
    reviseReport: async (title) => {
      await (await research.researches()).reviseReport(title);
    },
    leave: () => research.leave(),
    dispose: () => {
      disposables.dispose();
    },
  };
}
