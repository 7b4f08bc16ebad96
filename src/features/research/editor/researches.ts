import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type {
  CheckedDraft,
  CoverageView,
  EditedPlan,
  EditorTool,
  PassageToCite,
  ResearchAction,
  ResearchPanelState,
  ResearchStart,
  UsedSkill,
} from '../protocol.ts';
import type { Answer } from '../../../core/domain/answer.ts';
import type { FactCheckRequest, ProposedCorrection } from '../../chat/protocol.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { sumEstimates, type Estimate } from '../../../core/domain/estimates.ts';
import { noteAsAnswer, type NoteAnswer } from '../model/note-answer.ts';
import { noteTitle } from '../../../core/domain/note.ts';
import { answerAsNote } from '../../../core/domain/note-markdown.ts';
import type { BoardClient } from '../service/board-client.ts';
import type { Replayed } from '../model/replayed.ts';
import {
  type BoardStep,
  type Bounds,
  type Objection,
  type Plan,
  type PlanEdit,
  type PlanStep,
  type Product,
  type ProductEntry,
  type Research,
  type ResearchEntry,
  type ResearchOptions,
  planStep,
} from '../model/project.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { SkillResult } from '../service/skills/skill.ts';
import { showWarning, withNotification } from '../../../platform/dialogs.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import {
  Corrections,
  undoneCorrection,
  type CorrectionModels,
  type WrittenAnswer,
} from '../../chat/editor/corrections.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { researchLimits, verdictMarkStyle } from '../../../platform/settings.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import { searchedPart, type ScopeChoice } from '../../sources/editor/scope-choice.ts';
import { showNote } from '../../chat/editor/save-as-note.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import { teamBoard } from './team-board.ts';
import type { Teams } from '../../team/editor/teams.ts';
import type { Revision } from '../service/report/revise.ts';
import { resumeResearch } from '../service/work/resume.ts';
import type { RevisionRequest } from './revise-section.ts';
import { UserSteps } from './user-steps.ts';
import { checkDraft } from './check-draft.ts';
import { coverageView } from './coverage-view.ts';
import { passagesToCite } from './passages-to-cite.ts';
import { readResearch, ResearchRuns, type ResearchRunner, type Run } from './research-runs.ts';
import { editPlan } from '../service/plan/edit-plan.ts';
import { estimateStatementChecks } from '../../../answers/checking/check-estimate.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { checkedByModel } from '../../../answers/writing/check-text.ts';
import { countClaims } from '../../../answers/writing/cited-text.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Number of passages that are suggested for citation. */
const PROPOSED = 8;

/** Maximum number of passages shown for one use of a skill. */
const MAX_SHOWN_PASSAGES = 20;

/** Functions that make plans, run steps, and write reports with language models. */
export interface Researcher extends ResearchRunner {
  /** Returns the editor's tools that the user may turn on. */
  tools(): readonly EditorTool[];
  /** Returns the issues that rules find in a plan. */
  critique(
    research: Pick<Research, 'goal' | 'options'>,
    plan: Plan,
    sources: readonly Source[],
  ): Promise<readonly Objection[]>;
  /** Returns the model that checks the user's text; undefined if no model may. */
  checker(): Promise<LanguageModel | undefined>;
  /** Returns the model that checks only after the user's consent; undefined if there is nothing to decide. */
  checkRequest(): Promise<FactCheckRequest | undefined>;
  /** Saves the user's decision. */
  decideCheck(request: FactCheckRequest, agrees: boolean): Promise<void>;
  /**
   * Returns the model that corrects statements at the user's request; undefined if none is picked. The project pays for
   * it.
   */
  correctionModels(researchId: string): Promise<CorrectionModels | undefined>;
  /** Replays a recorded step without a model. */
  replay(research: Research, step: BoardStep, signal: AbortSignal): Promise<Replayed>;
  /** Uses a skill for a step that the user does. @throws NotebookError if the skill can't be used that way */
  useSkill(research: Research, step: BoardStep, call: SkillCall, signal: AbortSignal): Promise<SkillResult>;
  /** Revises a section of a report by a comment. @throws NotebookError */
  revise(research: Research, wish: RevisionRequest, run: Pick<Run, 'signal' | 'window'>): Promise<Revision>;
  dispose(): void;
}

export interface ResearchesParts {
  readonly notebook: NotebookClient;
  readonly embedder: Embedder;
  readonly scopes: ScopeChoice;
  readonly models: ModelChoices;
  readonly teams: Teams;
  readonly log: vscode.LogOutputChannel;
}

/** Skill and its input. */
interface SkillCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Research projects of the notebook: starts, stops, and watches them. */
export class Researches extends Disposable {
  readonly board: BoardClient;
  readonly steps: UserSteps;
  readonly #parts: ResearchesParts;
  readonly #researcher: Researcher;
  readonly #runs: ResearchRuns;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #corrections = new Corrections();

  /** Fires when a research project changed, in this window or another. */
  readonly onDidChange = this.#changed.event;
  /** Fires when this window has written a report, with the title of its note. */
  readonly onDidWriteReport: ResearchRuns['onDidWriteReport'];

  constructor(parts: ResearchesParts, researcher: Researcher) {
    super();
    const { notebook, models, scopes } = parts;
    this.#parts = parts;
    this.#researcher = researcher;
    this.board = teamBoard(notebook, parts.teams);
    this.steps = new UserSteps(this.board, randomUUID());
    this.#runs = new ResearchRuns({
      ...{ board: this.board, researcher, window: this.steps.holder.window, log: parts.log },
      hasModel: () => this.#hasModel(),
    });
    this.onDidWriteReport = this.#runs.onDidWriteReport;
    const notifyChanged = (): void => this.#changed.fire();
    this._register(
      this.#runs,
      researcher,
      this.#changed,
      this.steps,
      this.#runs.onDidChange(notifyChanged),
      this.steps.onDidChange(notifyChanged),
      notebook.onDidChangeResearch(notifyChanged),
      notebook.onDidChange(notifyChanged),
      notebook.onDidSwitch(notifyChanged),
      models.onDidChange(notifyChanged),
      scopes.onDidChange(notifyChanged),
      vscode.workspace.onDidGrantWorkspaceTrust(notifyChanged),
      this.onDidChange(() => {
        this.#runs.checkIn(0);
      }),
    );
    this.#runs.checkIn(0);
  }

  /** Lists the projects, most recently changed first. */
  async list(): Promise<readonly ResearchEntry[]> {
    return await this.board.call('researches', {});
  }

  /** Returns the state of the page for a project, or of the start page without one. */
  async state(researchId: string | undefined): Promise<ResearchPanelState> {
    const { notebook, models, scopes } = this.#parts;
    const [researches, research, sources, { current }] = await Promise.all([
      this.list(),
      researchId === undefined ? undefined : this.board.call('research', { researchId }),
      notebook.call('sources', {}),
      models.of(''),
    ]);
    const skills = research === undefined ? [] : await this.#researcher.skills(research.options.tools);
    const memories = research === undefined ? [] : await this.#planMemories(research);
    return {
      researches,
      research,
      window: this.steps.holder.window,
      claimedSteps: researchId === undefined ? [] : this.steps.of(researchId),
      activity: researchId === undefined ? undefined : this.#runs.activity(researchId),
      sources: sources.map(({ id, title, origin }) => ({ id, title, kind: origin.kind })),
      skills,
      memories,
      tools: this.#researcher.tools(),
      model: current.name,
      isTrusted: vscode.workspace.isTrusted,
      factCheckRequest: research === undefined ? undefined : await this.#researcher.checkRequest(),
      checkTokens: estimateChecks(research?.products ?? []),
      scope: await scopes.describeScope(sources),
      start: researchLimits(),
    };
  }

  /**
   * Starts a research project about the included sources and makes its plan. Resolves to its ID.
   * @throws NotebookError if nothing can be researched, with a way out
   */
  async begin({ goal, bounds, options }: ResearchStart): Promise<string> {
    const { notebook, scopes } = this.#parts;
    this.#throwIfRestricted();
    await this.#throwWithoutModel();
    const sources = await notebook.call('sources', {});
    if (sources.length === 0)
      throw new NotebookError(
        'empty',
        vscode.l10n.t('This notebook has no sources yet. Add sources, then try again.'),
        { action: 'addSources' },
      );
    const scope = scopes.resolveScope(sources);
    await searchedPart(notebook, scope, sources);
    const { researchId } = await this.board.call('addResearch', {
      goal: goal.trim(),
      scope,
      bounds,
      options,
    });
    this.#runs.start(researchId);
    return researchId;
  }

  /**
   * Runs an action on a whole project. A plan is approved only in the version that the user saw.
   * @throws NotebookError if the action isn't possible, with a way out
   */
  async act(researchId: string, action: ResearchAction, basedOn?: number): Promise<void> {
    switch (action) {
      case 'approve':
      case 'goOn':
        this.#throwIfRestricted();
        await this.#goOn(researchId, basedOn);
        return;
      case 'planAgain':
        this.#throwIfRestricted();
        await this.#throwWithoutModel();
        await this.#runs.stop(researchId);
        await this.board.call('changeResearch', { researchId, state: 'planning', reason: '' });
        this.#runs.start(researchId);
        return;
      case 'stop': {
        const { state } = await this.research(researchId);
        await this.#runs.stop(researchId);
        await this.board.call('changeResearch', {
          researchId,
          state: state === 'planning' ? 'planned' : 'paused',
          reason: '',
        });
        return;
      }
      case 'remove':
        await this.#runs.stop(researchId);
        await this.board.call('removeResearch', { researchId });
        return;
      case 'openReport':
        await showNote(this.#parts.notebook, await this.#reportTitle(researchId));
        return;
      case 'exportReport':
        await vscode.commands.executeCommand(
          'openNotebook.exportNote',
          noteUri(await this.#reportTitle(researchId), this.#parts.notebook),
        );
        return;
      case 'reviseReport':
        await this.reviseReport(await this.#reportTitle(researchId));
        return;
      case 'saveSkill': {
        const { steps, parts, goal } = await this.research(researchId);
        const [{ skillFromPlan }, { saveSkill }] = await Promise.all([
          import('../service/skills/skill-from-plan.ts'),
          import('./research-skills.ts'),
        ]);
        const skill = skillFromPlan({ steps: steps.map(planStep), parts }, goal);
        if (skill === undefined)
          throw new NotebookError(
            'empty',
            vscode.l10n.t('This plan has no steps that can be saved as a skill.'),
          );
        await saveSkill(skill);
        return;
      }
      case 'writeReport':
        this.#throwIfRestricted();
        await this.#throwWithoutModel();
        this.#runs.start(researchId);
        return;
    }
  }

  /** Revises a section of a report's note by a comment; the user chooses both. @throws NotebookError */
  async reviseReport(title: string): Promise<void> {
    this.#throwIfRestricted();
    await this.#throwWithoutModel();
    const research = await this.#reportedIn(title);
    const { reviseNote } = await import('./revise-section.ts');
    const { window } = this.steps.holder;
    await reviseNote(this.#parts.notebook, title, (wish, signal) =>
      this.#researcher.revise(research, wish, { signal, window }),
    );
  }

  /** Returns the report of a project. @throws NotebookError `not-found` */
  async report(researchId: string): Promise<NoteAnswer> {
    const title = await this.#reportTitle(researchId);
    const { text, citations } = await this.#parts.notebook.call('note', { title });
    return noteAsAnswer(text, citations);
  }

  /** @throws NotebookError `not-found` */
  async research(researchId: string): Promise<Research> {
    return await readResearch(this.board, researchId);
  }

  /** Changes the budget of a project. */
  async changeBounds(researchId: string, bounds: Bounds): Promise<void> {
    await this.board.call('changeResearch', { researchId, bounds });
  }

  /** Changes the options of a project. */
  async changeOptions(researchId: string, options: ResearchOptions): Promise<void> {
    await this.board.call('changeResearch', { researchId, options });
  }

  /** Edits a plan that has this version. @throws NotebookError `conflict` */
  async edit(researchId: string, edit: PlanEdit, basedOn: number): Promise<EditedPlan> {
    const { steps, parts, planVersion, comments } = await this.research(researchId);
    if (planVersion !== basedOn)
      throw new NotebookError(
        'conflict',
        vscode.l10n.t('The plan changed in the meantime. Review it, then make your change again.'),
      );
    const used = comments.flatMap(({ stepId = [] }) => stepId);
    const { plan, notes } = editPlan({ steps: steps.map(planStep), parts }, edit, used);
    const saved = await this.board.call('setPlan', { researchId, plan, basedOn, user: this.steps.holder });
    const added = plan.steps.find(({ id }) => !steps.some((step) => step.id === id));
    const objections = await this.#objections(researchId, plan);
    await this.board.call('changeResearch', { researchId, objections });
    return { planVersion: saved.planVersion, stepId: added?.id, notes };
  }

  /** Finds passages that a step of the user's can cite. */
  async findPassages(
    researchId: string,
    words: string,
    signal: AbortSignal,
  ): Promise<readonly PassageToCite[]> {
    const finder = await this.#finder(await this.research(researchId));
    return await passagesToCite(finder, (await finder.places(words, signal)).slice(0, PROPOSED));
  }

  /** Uses a skill for a step that the user does. @throws NotebookError if the skill can't be used that way */
  async useSkill(
    researchId: string,
    stepId: string,
    call: SkillCall,
    signal: AbortSignal,
  ): Promise<UsedSkill> {
    this.#throwIfRestricted();
    const { step } = this.steps.heldClaim(researchId, stepId);
    const research = await this.research(researchId);
    const { text, passages = [] } = await this.#researcher.useSkill(research, step, call, signal);
    const foundPassages = passages.slice(0, MAX_SHOWN_PASSAGES).map((passage) => ({ passage, marks: [] }));
    return { text, passages: await passagesToCite(await this.#finder(research), foundPassages) };
  }

  /** Checks the user's text for a step against the passages that it cites. @throws NotebookError `cancelled` */
  async checkDraft(researchId: string, draft: string, signal: AbortSignal): Promise<CheckedDraft> {
    const finder = await this.#finder(await this.research(researchId));
    return await checkDraft(draft, { finder, signal, checker: await this.#researcher.checker() });
  }

  /** Checks and submits the user's text for a step. @throws NotebookError `conflict` if it arrives too late */
  async submit(researchId: string, stepId: string, draft: string, signal: AbortSignal): Promise<void> {
    const { token, step } = this.steps.heldClaim(researchId, stepId);
    const { text, statements, citations, check } = await this.checkDraft(researchId, draft, signal);
    if (text.trim() === '')
      throw new NotebookError('empty', vscode.l10n.t('There’s nothing to submit yet. Write a result first.'));
    const product: Product = {
      id: step.produces,
      text,
      statements,
      citations,
      check,
      createdBy: this.steps.holder,
      createdAt: Date.now(),
    };
    const of = { researchId, stepId };
    const outcome = await this.board.call('submitStep', { token, product, of });
    this.steps.forget(researchId, stepId);
    if (outcome === 'late') {
      void this.#offerNote(step, product);
      throw new NotebookError(
        'conflict',
        vscode.l10n.t(
          'This step was changed, or someone else finished it, after you assigned it to yourself. Your text is saved in the activity log.',
        ),
      );
    }
    await this.#letGoOn(researchId);
  }

  /**
   * Corrects a statement of a result with a model, and checks the correction. Nothing changes until it's applied.
   * @throws NotebookError if the model can't be reached or gives no usable correction
   */
  async correct(
    researchId: string,
    { productId, index }: { readonly productId: string; readonly index: number },
    signal: AbortSignal,
  ): Promise<ProposedCorrection> {
    const product = await this.board.call('product', { researchId, productId });
    return await this.#corrections.propose(correctionKey(researchId, productId), {
      ...{ answer: product && asAnswer(product), index, signal },
      models: await this.#researcher.correctionModels(researchId),
      passages: await this.#finder(await this.research(researchId)),
    });
  }

  /** Applies the last correction of a result. @throws NotebookError `conflict` if the result changed since */
  async applyCorrection(researchId: string, productId: string): Promise<void> {
    const key = correctionKey(researchId, productId);
    await this.#exchange(researchId, productId, (answer) => this.#corrections.apply(key, answer));
  }

  /** Restores a result before its last correction. @throws NotebookError `conflict` if the result changed since */
  async undoCorrection(researchId: string, productId: string): Promise<void> {
    await this.#exchange(researchId, productId, undoneCorrection);
  }

  async #exchange(
    researchId: string,
    productId: string,
    change: (current: WrittenAnswer | undefined) => Answer,
  ): Promise<void> {
    const product = await this.board.call('product', { researchId, productId });
    const answer = change(product && asAnswer(product));
    if (product !== undefined && answer.kind === 'written')
      await this.#putChecked(researchId, product, answer);
  }

  /**
   * Saves whether a model that may cost money checks results. If so, it checks the existing results of a project first.
   * @throws NotebookError of the model
   */
  async decideFactCheck(researchId: string, agrees: boolean): Promise<void> {
    const request = await this.#researcher.checkRequest();
    if (request === undefined) return;
    await this.#researcher.decideCheck(request, agrees);
    this.#changed.fire();
    if (agrees) await this.#checkResults(researchId);
  }

  /** Lets the model check the results of a project that have unchecked statements, with progress. */
  async #checkResults(researchId: string): Promise<void> {
    const [research, model] = await Promise.all([this.research(researchId), this.#researcher.checker()]);
    const unchecked = research.products.filter(({ check }) => (check.unchecked ?? 0) > 0);
    if (model === undefined || unchecked.length === 0) return;
    const finder = await this.#finder(research);
    await withNotification(vscode.l10n.t('Fact-checking the results'), async (signal, report) => {
      for (const [done, { id: productId }] of unchecked.entries()) {
        report(vscode.l10n.t('{0} of {1}', done, unchecked.length), (100 * done) / unchecked.length);
        const product = await this.board.call('product', { researchId, productId });
        if (product === undefined) continue;
        const result = await checkedByModel(product, { model, finder, signal }).catch((error: unknown) => {
          if (isCanceled(error)) return undefined;
          throw error;
        });
        if (result === undefined) return;
        const { text, problem } = result;
        const { beforeCorrection } = product;
        await this.#putChecked(researchId, product, { ...text, beforeCorrection });
        if (problem !== undefined) throw new NotebookError('unsupported', problem, { action: 'pickModel' });
      }
    });
  }

  /** Replaces the text of a result and its verdicts. */
  async #putChecked(
    researchId: string,
    product: Product,
    checked: Pick<Product, 'beforeCorrection' | 'citations' | 'statements' | 'text'>,
  ): Promise<void> {
    const { text, statements, citations, beforeCorrection } = checked;
    const check = { ...product.check, ...countClaims(statements) };
    const changed = {
      ...product,
      text,
      statements,
      citations,
      beforeCorrection,
      check,
      createdAt: Date.now(),
    };
    await this.board.call('putProduct', { researchId, product: changed });
    this.#changed.fire();
  }

  /** Offers to save a result that arrived too late for its step as a note. */
  async #offerNote({ target }: PlanStep, product: Product): Promise<void> {
    const { notebook } = this.#parts;
    const save = vscode.l10n.t('Save as Note');
    const chosen = await showWarning(
      vscode.l10n.t('“{0}” was finished or changed before you submitted your result.', noteTitle(target)),
      [save],
    );
    if (chosen !== save) return;
    const note = answerAsNote(target, asAnswer(product), verdictMarkStyle());
    const { title } = await notebook.call('addNote', { title: noteTitle(target), ...note });
    await showNote(notebook, title);
  }

  /** Steps may be ready now after the project's workers ended because none was left. */
  async #letGoOn(researchId: string): Promise<void> {
    const { state } = await this.research(researchId);
    const isActive = state === 'running' || state === 'done';
    if (isActive && vscode.workspace.isTrusted && (await this.#hasModel())) this.#runs.start(researchId);
  }

  /** Reruns a step, with the user's comment if there is one. */
  async redo(researchId: string, stepId: string, remark: string): Promise<void> {
    const text = remark.trim();
    if (text !== '') await this.board.call('commentPlan', { researchId, stepId, text });
    await this.board.call('redoStep', { researchId, stepId, user: this.steps.holder });
    await this.#letGoOn(researchId);
  }

  /** @throws NotebookError `not-found` */
  async step(researchId: string, stepId: string): Promise<BoardStep> {
    const { steps } = await this.research(researchId);
    const step = steps.find(({ id }) => id === stepId);
    if (step === undefined)
      throw new NotebookError('not-found', vscode.l10n.t('This step is no longer in the plan.'));
    return step;
  }

  /** Replays a recorded step without a model, and compares the results. */
  async replay(researchId: string, stepId: string, signal: AbortSignal): Promise<Replayed> {
    this.#throwIfRestricted();
    const [research, step] = await Promise.all([this.research(researchId), this.step(researchId, stepId)]);
    return await this.#researcher.replay(research, step, signal);
  }

  /** Returns how much of the notebook was cited, and what to look at next. */
  async coverage(): Promise<CoverageView> {
    return await coverageView(this.#parts.notebook);
  }

  /** Stops all work before another notebook is shown. */
  async leave(): Promise<void> {
    await this.#runs.stopAll();
    await this.steps.leave();
  }

  async #goOn(researchId: string, basedOn: number | undefined): Promise<void> {
    await this.#throwWithoutModel();
    await resumeResearch(this.board, { researchId, basedOn, user: this.steps.holder });
    this.#runs.start(researchId);
  }

  async #finder({ scope }: Research): Promise<PassageFinder> {
    const { notebook, embedder } = this.#parts;
    const sources = await notebook.call('sources', {});
    return passageFinder(notebook, embedder, await searchedPart(notebook, scope, sources));
  }

  /**
   * Returns the issues that rules find in the current plan, and a model's earlier issues with steps that still exist.
   */
  async #objections(researchId: string, plan: Plan): Promise<readonly Objection[]> {
    const research = await this.research(researchId);
    const { objections, scope } = research;
    const sources = await this.#parts.notebook.call('sources', {});
    const within =
      scope?.kind === 'sources' ? sources.filter(({ id }) => scope.sourceIds.includes(id)) : sources;
    const ofModel = objections.filter(
      ({ rule, stepId }) =>
        rule === 'model' && (stepId === undefined || plan.steps.some(({ id }) => id === stepId)),
    );
    return [...(await this.#researcher.critique(research, plan, within)), ...ofModel];
  }

  /** Returns the memories used for its plan, without those that were deleted since. */
  async #planMemories({ memories }: Research): Promise<ResearchPanelState['memories']> {
    if (memories.length === 0) return [];
    const { sharedMemories } = await import('./shared-memories.ts');
    // An invalid memory is reported when a plan is made with it.
    const allMemories = [
      ...(await this.board.call('memories', {})),
      ...(await sharedMemories(() => undefined)),
    ];
    return allMemories
      .filter(({ id }) => memories.includes(id))
      .map(({ id, goal, isShared }) => ({ id, goal, isShared }));
  }

  /** Returns the title of the report's note. */
  async #reportTitle(researchId: string): Promise<string> {
    const { report } = await this.research(researchId);
    if (report === undefined)
      throw new NotebookError('not-found', vscode.l10n.t('This research project has no report yet.'));
    return report;
  }

  /** Returns the project whose report a note is. */
  async #reportedIn(title: string): Promise<Research> {
    for (const { id } of await this.list()) {
      const research = await this.board.call('research', { researchId: id });
      if (research?.report === title) return research;
    }
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This note isn’t a report of a research project in this notebook. Open a report first.'),
    );
  }

  #throwIfRestricted(): void {
    if (vscode.workspace.isTrusted) return;
    throw new NotebookError(
      'forbidden',
      vscode.l10n.t('Research projects don’t run in Restricted Mode. Trust this workspace, then try again.'),
    );
  }

  async #hasModel(): Promise<boolean> {
    const { current } = await this.#parts.models.of('');
    return current.kind !== 'quotes';
  }

  async #throwWithoutModel(): Promise<void> {
    if (await this.#hasModel()) return;
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('Research projects require a language model to plan and run steps. Pick a model first.'),
      { action: 'pickModel' },
    );
  }
}

/** Estimates the fact check of all results with unchecked statements; undefined if there are none. */
function estimateChecks(products: readonly ProductEntry[]): Estimate | undefined {
  const estimates = products.flatMap(({ check: { unchecked = 0 } }) =>
    unchecked === 0 ? [] : [{ estimate: estimateStatementChecks(unchecked), prices: undefined }],
  );
  return estimates.length === 0 ? undefined : sumEstimates(estimates);
}

function asAnswer({ text, statements, citations, beforeCorrection }: Product): WrittenAnswer {
  return { kind: 'written', model: '', text, statements, citations, beforeCorrection };
}

function correctionKey(researchId: string, productId: string): string {
  return `${researchId} ${productId}`;
}
