import type { Conversation } from '../../chat/editor/conversation.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import { confirmedRemoval } from '../editor/confirmed-removal.ts';
import type { ResearchOnDemand } from '../editor/research-on-demand.ts';
import type { ResearchNode, ResearchView } from '../editor/research-view.ts';

/** Returns the commands for research projects, by name. */
export function researchCommands(
  conversation: Conversation,
  research: ResearchOnDemand,
  researchView: ResearchView,
): Commands {
  const act = async (
    action: 'goOn' | 'remove' | 'stop',
    node: ResearchNode | undefined = researchView.selected,
  ): Promise<void> => {
    if (node?.kind !== 'research') return;
    if (action === 'remove' && !(await confirmedRemoval())) return;
    await (await research.researches()).act(node.entry.id, action, node.entry.planVersion);
  };
  return {
    /** If a turn of the conversation is given, its question is the goal. */
    research: async (turnId?: unknown) => {
      const turns = typeof turnId === 'string' ? await conversation.turns() : [];
      await research.begin(turns.find(({ id }) => id === turnId)?.question);
    },
    showResearch: async (researchId?: unknown, stepId?: unknown) => {
      if (typeof researchId === 'string')
        await research.open(researchId, typeof stepId === 'string' ? stepId : undefined);
    },
    stopResearch: (node?: ResearchNode) => act('stop', node),
    goOnWithResearch: async (node: ResearchNode | undefined = researchView.selected) => {
      // The page shows the reason for the pause, such as a plan that another member changed.
      const isToReview = node?.kind === 'research' && (node.entry.reason ?? '') !== '';
      if (isToReview) await research.open(node.entry.id);
      else await act('goOn', node);
    },
    removeResearch: (node?: ResearchNode) => act('remove', node),
    shareMemory: async () => {
      const { board } = await research.researches();
      const { shareMemory } = await import('../editor/shared-memories.ts');
      await shareMemory(board);
    },
    takeStep: async (node: ResearchNode | undefined = researchView.selected) => {
      if (node?.kind !== 'step') return;
      const { steps } = await research.researches();
      await steps.take(node.research.id, node.step.id);
      await research.open(node.research.id, node.step.id);
    },
    replayStep: async (node: ResearchNode | undefined = researchView.selected) => {
      if (node?.kind !== 'step') return;
      const { replayStep } = await import('../editor/replayed-step.ts');
      await replayStep(await research.researches(), node.research.id, node.step.id);
    },
    giveBackStep: async (node: ResearchNode | undefined = researchView.selected) => {
      if (node?.kind !== 'step') return;
      const { steps } = await research.researches();
      await steps.giveBack(node.research.id, node.step.id);
    },
  };
}
