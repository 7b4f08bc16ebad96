import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { SkillEntry } from '../protocol.ts';
import { errorMessage, NotebookError } from '../../../core/domain/errors.ts';
import type { Product, RecordedEvent, Research } from '../model/project.ts';
import type { Source } from '../../../core/domain/source.ts';
import { critiquePlan } from '../service/plan/critic-rules.ts';
import { reviseSection } from '../service/report/revise.ts';
import { doResearch, reportSoFar } from '../service/research.ts';
import { callSkill } from '../service/skills/call-skill.ts';
import { skillLibrary } from '../service/skills/skill-library.ts';
import type { SkillLibrary } from '../service/skills/skill.ts';
import { BudgetExceededError, Budget } from '../service/work/budget.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import type { ResearchServices } from '../service/work/services.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { AnswerModels } from '../../chat/editor/answer-model.ts';
import { correctionModels } from '../../chat/editor/corrections.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import { searchedPart } from '../../sources/editor/scope-choice.ts';
import { teamBoard } from './team-board.ts';
import { composedSkills, researchSkills, skillNotebook } from './research-skills.ts';
import { offeredTools } from './editor-tools.ts';
import type { Researcher, ResearchesParts } from './researches.ts';
import { sharedMemories } from './shared-memories.ts';
import { TablesProcess } from './tables-process.ts';

/** Time for which the skills in the workspace's files are cached, in milliseconds. */
const SKILL_CACHE_MS = 10_000;

export interface ResearcherParts extends ResearchesParts {
  readonly extensionUri: vscode.Uri;
  readonly answerModels: Pick<
    AnswerModels,
    'allowedChecker' | 'checkRequest' | 'decideCheck' | 'factChecker' | 'of'
  >;
  readonly adder: SourceAdder;
}

interface Known {
  readonly key: string;
  readonly at: number;
  readonly skills: Promise<readonly SkillEntry[]>;
}

/** Creates the researcher, which makes plans, runs steps, and writes reports with the picked language model. */
export function makeResearcher(parts: ResearcherParts): Researcher {
  const { notebook, extensionUri, adder, log } = parts;
  const tables = new TablesProcess(
    vscode.Uri.joinPath(extensionUri, 'dist', 'tables-worker.cjs').fsPath,
    log,
  );
  const searchedNotebook = skillNotebook(notebook, parts.embedder);
  const library = async (ticked: readonly string[]): Promise<SkillLibrary> =>
    skillLibrary(
      researchSkills({ notebook, searchedNotebook, adder, tables }, ticked),
      await composedSkills(extensionUri, (problem) => log.warn('A skill was left out:', problem)),
    );
  let cachedSkills: Known | undefined;
  return {
    skills: async (ticked) => {
      const key = ticked.join('\n');
      if (cachedSkills?.key !== key || Date.now() - cachedSkills.at > SKILL_CACHE_MS)
        cachedSkills = { key, at: Date.now(), skills: library(ticked).then(skillEntries) };
      return await cachedSkills.skills;
    },
    tools: () => offeredTools().map(({ name, description }) => ({ name, description })),
    critique: async ({ goal, options }, plan, sources) =>
      critiquePlan(plan, { goal, sources, library: await library(options.tools) }),
    run: async (research, { window, signal, onStatus, onChange }) => {
      const services = await makeWorld(parts, research, await library(research.options.tools));
      // The report of a failed project covers the results so far.
      const run = research.state === 'failed' ? reportSoFar : doResearch;
      await run({
        board: teamBoard(notebook, parts.teams),
        researchId: research.id,
        services,
        window,
        signal,
        emit: onStatus,
        onChange,
      });
    },
    checker: async () => (await parts.answerModels.allowedChecker(() => undefined))?.model,
    checkRequest: () => parts.answerModels.checkRequest(),
    decideCheck: (request, agrees) => parts.answerModels.decideCheck(request, agrees),
    correctionModels: async (researchId) => {
      const checker = await parts.answerModels.factChecker(
        '',
        (usage) =>
          void notebook
            .call('spend', { researchId, usage, requests: 1 })
            .catch((error: unknown) => log.debug('Adding the usage of a correction:', errorMessage(error))),
      );
      return await correctionModels(checker);
    },
    replay: async (research, step, signal) => {
      const { replayStep } = await import('../service/work/replay-step.ts');
      const { id: researchId } = research;
      const product = (productId: string): Promise<Product | undefined> =>
        notebook.call('product', { researchId, productId }, { signal });
      const [storedProduct, records, ...materials] = await Promise.all([
        product(step.produces),
        notebook.call('records', { researchId, stepId: step.id }, { signal }),
        ...step.materials.map(product),
      ]);
      return await replayStep({
        ...{ research, step, storedProduct, records, signal },
        materials: materials.filter((material) => material !== undefined),
        library: await library(research.options.tools),
        ...(await findSources(parts, research)),
      });
    },
    useSkill: async (research, step, { name, input }, signal) => {
      const { id: researchId } = research;
      const { skills } = await library(research.options.tools);
      const materials = await Promise.all(
        step.materials.map((productId) => notebook.call('product', { researchId, productId }, { signal })),
      );
      const began = Date.now();
      const called = await callSkill(
        skills,
        { name, input },
        {
          ...(await findSources(parts, research)),
          materials: materials.filter((material) => material !== undefined),
          model: NO_MODEL,
          signal,
        },
      );
      const { text, passages, error } = called;
      await notebook.call('spend', { researchId, toolCalls: 1 });
      await notebook.call('record', {
        researchId,
        stepId: step.id,
        event: {
          ...{ kind: 'tool', skill: name, input, result: text, time: Date.now() - began },
          ...(passages && { passages }),
          ...(error !== undefined && { error }),
        },
      });
      if (error !== undefined) throw new NotebookError('unsupported', error);
      return called;
    },
    revise: async (research, wish, { window, signal }) => {
      const { id: researchId, options } = research;
      const services = await makeWorld(parts, research, await library(options.tools));
      const budget = new Budget(notebook, researchId, services.now);
      const record = (event: RecordedEvent): void =>
        void notebook
          .call('record', { researchId, event })
          .catch((error: unknown) => log.debug('Adding to the activity log:', errorMessage(error)));
      try {
        return await budget.work(() =>
          reviseSection({
            ...wish,
            context: { services, budget, record, signal },
            tools: ['search', 'read', ...options.tools],
            holder: { kind: 'model', name: '1', window },
          }),
        );
      } catch (error) {
        throw error instanceof BudgetExceededError ? new NotebookError('unsupported', error.message) : error;
      }
    },
    dispose: () => tables.dispose(),
  };
}

/** Placeholder model for skills that people use, which don't query a model. */
const NO_MODEL: LanguageModel = {
  name: '',
  // oxlint-disable-next-line require-yield -- it never answers
  async *stream() {
    await Promise.resolve();
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('This skill requires a model. Let a model run this step.'),
    );
  },
};

/**
 * Returns the services for a research project in this window.
 * @throws NotebookError `model-missing` if no model is picked
 */
async function makeWorld(
  parts: ResearcherParts,
  research: Research,
  library: SkillLibrary,
): Promise<ResearchServices> {
  const { answerModels, log } = parts;
  const { model, prices } = await answerModels.of('', () => undefined);
  const checker = await answerModels.allowedChecker(() => undefined);
  if (model === undefined)
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('Research projects require a language model to plan and run steps. Pick a model first.'),
      { action: 'pickModel' },
    );
  return {
    ...(await findSources(parts, research)),
    model,
    prices,
    library,
    keepsUnsupported: research.options.keepsUnsupported,
    checker,
    open: () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [basename(input.uri.path)] : [])),
      ),
    sharedMemories: () => sharedMemories((problem) => log.warn('A memory was left out:', problem)),
    writesReport: true,
    verdictMarks: verdictMarkStyle(),
    now: () => Date.now(),
  };
}

/** Returns the existing sources of a project, and a finder for their passages. */
async function findSources(
  { notebook, embedder }: ResearcherParts,
  { scope }: Research,
): Promise<Pick<ResearchServices, 'finder' | 'finderIn' | 'sources'>> {
  const sources = async (): Promise<readonly Source[]> => {
    const allSources = await notebook.call('sources', {});
    return scope?.kind === 'sources'
      ? allSources.filter(({ id }) => scope.sourceIds.includes(id))
      : allSources;
  };
  return {
    finder: passageFinder(notebook, embedder, await searchedPart(notebook, scope, await sources())),
    finderIn: (sourceId) => passageFinder(notebook, embedder, { kind: 'sources', sourceIds: [sourceId] }),
    sources,
  };
}

function skillEntries({ skills, composed }: SkillLibrary): readonly SkillEntry[] {
  return [
    ...skills.map(({ name, description, guide, isForUser = false, run, input }) => ({
      name,
      description,
      isAction: guide !== undefined,
      isTool: run !== undefined,
      isForUser,
      input,
    })),
    ...composed.map(({ name, description }) => ({
      name,
      description,
      isAction: true,
      isTool: false,
      isForUser: false,
    })),
  ];
}
