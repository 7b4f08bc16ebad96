import type { ModelChoice, SelectedModels } from '../../core/domain/model-choice.ts';
import type { UsageEntry } from '../../core/domain/usage.ts';

/** API of the index worker for models that write answers. */
export interface ModelsApi {
  readonly pickedModels: (params: { readonly conversationId: string }) => SelectedModels;
  /** Saves the selected model for a conversation, or for the notebook without one; undefined clears it. */
  readonly pickModel: (params: {
    readonly conversationId?: string | undefined;
    readonly choice: ModelChoice | undefined;
  }) => void;
  /** Adds a model's usage to its day. */
  readonly addUsage: (params: UsageEntry) => void;
  /** Sorted by day, the latest first, then by model. */
  readonly usage: () => readonly UsageEntry[];
}
