import type { ModelChoice, PickedModels } from '../../notebook/model-choice.ts';
import type { UsageEntry } from '../../notebook/usage.ts';

/** What the index worker is asked of the models that write answers. */
export interface ModelsApi {
  readonly pickedModels: (params: { readonly conversationId: string }) => PickedModels;
  /** Keeps what was picked, of a conversation or else of the notebook; undefined takes it back. */
  readonly pickModel: (params: {
    readonly conversationId?: string | undefined;
    readonly choice: ModelChoice | undefined;
  }) => void;
  /** Adds what a model took and gave to its day. */
  readonly addUsage: (params: UsageEntry) => void;
  /** By day, the last first, and by model. */
  readonly usage: () => readonly UsageEntry[];
}
