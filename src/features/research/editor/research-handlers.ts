import * as vscode from 'vscode';
import type { ResearchCommand, ResearchHostApi } from '../protocol.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Conversation } from '../../chat/editor/conversation.ts';
import { citedTextHandlers, type CitedTextParts, type CitingPlace } from '../../chat/editor/cited-text.ts';
import { confirmedRemoval } from './confirmed-removal.ts';
import type { Researches } from './researches.ts';

/** Services that handle the requests of a research page. */
export interface ResearchHandlerParts extends CitedTextParts {
  readonly researches: Researches;
  readonly conversation: Pick<Conversation, 'ask' | 'findMoreLike'>;
  readonly focusChat: () => Promise<void>;
}

/** Location of a page, and the research project that it shows. */
interface ResearchPlace extends CitingPlace {
  readonly researchId: string | undefined;
}

const COMMANDS: Readonly<Record<ResearchCommand, string>> = {
  addFiles: 'openNotebook.addFiles',
  pickModel: 'openNotebook.pickModel',
  pickScope: 'openNotebook.pickScope',
  trustWorkspace: 'workbench.trust.manage',
};

/** Maximum length of a section's first line that is shown, in UTF-16 code units. */
const MAX_LINE_LENGTH = 400;

/** ID prefix of drafts among the texts with citations, and ID of the report. */
const DRAFT = 'draft:';
const REPORT = 'report';

/** Returns the handlers for a research page. */
export function researchHandlers(
  parts: ResearchHandlerParts,
  place: ResearchPlace,
): Omit<Handlers<ResearchHostApi>, 'begin' | 'ready' | 'show'> {
  const { notebook, researches, conversation, focusChat, opener } = parts;
  const shown = (): string => {
    if (place.researchId === undefined)
      throw new NotebookError('not-found', vscode.l10n.t('This research project was deleted.'));
    return place.researchId;
  };
  /** Citations in the draft of each step, from its last check. */
  const drafts = new Map<string, readonly Citation[]>();
  /** Citations of the report, as the page shows it. */
  let reported: readonly Citation[] = [];
  const findCitations = async (textId: string): Promise<readonly Citation[]> => {
    if (textId.startsWith(DRAFT)) return drafts.get(textId.slice(DRAFT.length)) ?? [];
    if (textId === REPORT) return reported;
    const product = await researches.board.call('product', { researchId: shown(), productId: textId });
    return product?.citations ?? [];
  };
  return {
    ...citedTextHandlers(
      parts,
      {
        citation: async (textId, index) => {
          const citation = (await findCitations(textId))[index];
          if (citation === undefined)
            throw new NotebookError('not-found', vscode.l10n.t('This citation is no longer available.'));
          return citation;
        },
        findStanding: findCitations,
        findMoreLike: async (cited) => {
          await focusChat();
          await conversation.findMoreLike(cited);
        },
      },
      place,
    ),
    act: async ({ action, basedOn }) => {
      const researchId = shown();
      if (action === 'remove' && !(await confirmedRemoval())) return;
      await researches.act(researchId, action, basedOn);
    },
    changeBounds: ({ bounds }) => researches.changeBounds(shown(), bounds),
    changeOptions: ({ options }) => researches.changeOptions(shown(), options),
    edit: ({ edit, basedOn }) => researches.edit(shown(), edit, basedOn),
    stepPlan: async ({ by }) => {
      await researches.board.call('stepPlan', { researchId: shown(), by, user: researches.steps.holder });
    },
    comment: ({ stepId, text }) =>
      researches.board.call('commentPlan', { researchId: shown(), stepId, text }),
    removeComment: ({ commentId }) =>
      researches.board.call('removeComment', { researchId: shown(), commentId }),
    forgetMemory: ({ memoryId }) => researches.board.call('forgetMemory', { memoryId }),
    take: ({ stepId }) => researches.steps.take(shown(), stepId),
    giveBack: ({ stepId }) => researches.steps.giveBack(shown(), stepId),
    draft: ({ stepId, draft }) => researches.board.call('draftStep', { researchId: shown(), stepId, draft }),
    findPassages: ({ words }, { signal }) => researches.findPassages(shown(), words, signal),
    useSkill: ({ stepId, skill, input }, { signal }) =>
      researches.useSkill(shown(), stepId, { name: skill, input }, signal),
    checkDraft: async ({ stepId, draft }, { signal }) => {
      const checked = await researches.checkDraft(shown(), draft, signal);
      drafts.set(stepId, checked.citations);
      return checked;
    },
    correctStatement: ({ turnId: productId, statement: index }, { signal }) =>
      researches.correct(shown(), { productId, index }, signal),
    applyCorrection: ({ turnId: productId }) => researches.applyCorrection(shown(), productId),
    undoCorrection: ({ turnId: productId }) => researches.undoCorrection(shown(), productId),
    submit: ({ stepId, draft }, { signal }) => researches.submit(shown(), stepId, draft, signal),
    redo: ({ stepId, remark }) => researches.redo(shown(), stepId, remark),
    dependentSteps: ({ stepId }) => researches.board.call('dependentSteps', { researchId: shown(), stepId }),
    replay: ({ stepId }, { signal }) => researches.replay(shown(), stepId, signal),
    compareReplayed: async ({ stepId, replayed }) => {
      const { compareReplayed } = await import('./replayed-step.ts');
      await compareReplayed(await researches.step(shown(), stepId), replayed);
    },
    product: ({ productId }) => researches.board.call('product', { researchId: shown(), productId }),
    records: ({ stepId, after }) => researches.board.call('records', { researchId: shown(), stepId, after }),
    latestRecords: (params) => researches.board.call('latestRecords', { researchId: shown(), ...params }),
    report: async () => {
      const report = await researches.report(shown());
      reported = report.citations;
      return report;
    },
    coverage: () => researches.coverage(),
    openPlace: async ({ documentId, start }) => {
      const { text } = await notebook.call('document', { documentId });
      const line = /\S.*/.exec(text.slice(start, start + MAX_LINE_LENGTH));
      const span = {
        start: start + (line?.index ?? 0),
        end: start + (line?.index ?? 0) + (line?.[0].length ?? 0),
      };
      const request = { number: 1, documentId, passage: span, span, quote: text.slice(span.start, span.end) };
      const [citation] = await notebook.call('cite', { requests: [request] });
      if (citation !== undefined) await opener.open(citation, place.citationColumn());
    },
    ask: async ({ question }) => {
      await focusChat();
      void conversation.ask(question);
    },
    decideFactCheck: ({ agrees }) => researches.decideFactCheck(shown(), agrees),
    run: async ({ command }) => {
      await vscode.commands.executeCommand(COMMANDS[command]);
    },
  };
}
