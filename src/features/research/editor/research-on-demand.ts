import * as vscode from 'vscode';
import type { Conversation } from '../../chat/editor/conversation.ts';
import type { CitedTextParts } from '../../chat/editor/cited-text.ts';
import { mayBeLeft } from '../service/work/resume.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { ResearchTabs } from './research-tabs.ts';
import { RESEARCH_TAB_TYPE, researchOfState } from './research-page.ts';
import type { ResearcherParts } from './researcher.ts';
import type { Researches } from './researches.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Services for research projects. */
export interface ResearchParts extends ResearcherParts, CitedTextParts {
  readonly conversation: Conversation;
  readonly focusChat: () => Promise<void>;
}

interface Loaded {
  readonly researches: Researches;
  readonly tabs: ResearchTabs;
}

/** Access to research projects. Loads their code with the first use, which never happens in most windows. */
export class ResearchOnDemand extends Disposable implements vscode.WebviewPanelSerializer {
  readonly #parts: ResearchParts;
  #loading: Promise<Loaded> | undefined;

  constructor(parts: ResearchParts) {
    super();
    const { notebook } = parts;
    this.#parts = parts;
    // The next change checks again.
    const check = (): void => void this.#look().catch(() => undefined);
    this._register(
      vscode.window.registerWebviewPanelSerializer(RESEARCH_TAB_TYPE, this),
      notebook.onDidOpen(check),
      notebook.onDidSwitch(check),
      notebook.onDidChangeResearch(check),
      vscode.workspace.onDidGrantWorkspaceTrust(check),
    );
  }

  /** Returns the projects of the notebook. Loads the code for them. */
  async researches(): Promise<Researches> {
    return (await this.#load()).researches;
  }

  /** Shows a research project, at a step if one is given. */
  async open(researchId: string, stepId?: string): Promise<void> {
    const { tabs } = await this.#load();
    tabs.open({ researchId, stepId });
  }

  /** Shows the page to start a project, with a goal if one is given. */
  async begin(goal?: string): Promise<void> {
    const { tabs } = await this.#load();
    tabs.open({ goal });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { tabs } = await this.#load();
    tabs.fill(panel, { researchId: researchOfState(state) });
  }

  /** Stops all work before another notebook is shown. */
  async leave(): Promise<void> {
    const loaded = await this.#loading;
    await loaded?.researches.leave();
  }

  override dispose(): void {
    void this.#loading?.then(({ researches, tabs }) => {
      tabs.dispose();
      researches.dispose();
    });
    super.dispose();
  }

  #load(): Promise<Loaded> {
    return (this.#loading ??= this.#start());
  }

  async #start(): Promise<Loaded> {
    const [{ Researches }, { ResearchTabs }, { makeResearcher }] = await Promise.all([
      import('./researches.ts'),
      import('./research-tabs.ts'),
      import('./researcher.ts'),
    ]);
    const researches = new Researches(this.#parts, makeResearcher(this.#parts));
    return { researches, tabs: new ResearchTabs({ ...this.#parts, researches }) };
  }

  async #look(): Promise<void> {
    const entries = await this.#parts.notebook.call('researches', {});
    await setContextKey('hasResearches', entries.length > 0);
    // The window of a running project may be closed; then the project resumes in this window.
    if (vscode.workspace.isTrusted && entries.some(mayBeLeft)) await this.#load();
  }
}
