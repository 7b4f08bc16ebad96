import { readConversationModel, writeConversationModel } from '../../features/store.ts';
import type { Handlers } from '../../core/rpc/rpc.ts';
import type { ModelsApi } from './models-api.ts';
import { parseModelChoice, type ModelChoice, type SelectedModels } from '../../core/domain/model-choice.ts';
import type { UsageEntry } from '../../core/domain/usage.ts';
import type { Statements } from './database/statements.ts';

/** Selected models and usage in a notebook's database. */
export class Models {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the models selected for the notebook and for a conversation, if any. */
  readSelected(conversationId: string): SelectedModels {
    return {
      notebook: readChoice(this.#sql.get("SELECT value FROM preferences WHERE name = 'model'")?.['value']),
      conversation: readChoice(readConversationModel(this.#sql, conversationId)),
    };
  }

  /** Saves the selected model for a conversation, or for the notebook without one; undefined clears it. */
  pick(choice: ModelChoice | undefined, conversationId: string | undefined): void {
    const json = choice === undefined ? null : JSON.stringify(choice);
    this.#sql.transaction(() => {
      if (conversationId !== undefined) writeConversationModel(this.#sql, conversationId, json);
      else if (json === null) this.#sql.run("DELETE FROM preferences WHERE name = 'model'");
      else this.#sql.put('preferences', 'name', { name: 'model', value: json });
    });
  }

  /** Adds a model's usage to its day. */
  addUsage({ day, provider, model, requests, input, output, estimated, cost }: UsageEntry): void {
    this.#sql.write(
      `INSERT INTO usage (day, provider, model, requests, input, output, estimated, cost)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (day, provider, model) DO UPDATE SET requests = requests + excluded.requests,
           input = input + excluded.input, output = output + excluded.output,
           estimated = estimated + excluded.estimated,
           cost = CASE WHEN excluded.cost IS NULL THEN cost ELSE coalesce(cost, 0) + excluded.cost END`,
      day,
      provider,
      model,
      requests,
      input,
      output,
      estimated,
      cost ?? null,
    );
  }

  /** Returns the usage, sorted by day, the latest first, then by model. */
  usage(): UsageEntry[] {
    return this.#sql
      .all('SELECT * FROM usage ORDER BY day DESC, input + output DESC, provider, model')
      .map((row) => ({
        day: String(row['day']),
        provider: String(row['provider']),
        model: String(row['model']),
        requests: Number(row['requests']),
        input: Number(row['input']),
        output: Number(row['output']),
        estimated: Number(row['estimated']),
        ...(typeof row['cost'] === 'number' && { cost: row['cost'] }),
      }));
  }
}

/** Returns the stored choice; undefined if there is none or it's from a newer version. */
function readChoice(json: unknown): ModelChoice | undefined {
  return typeof json === 'string' ? parseModelChoice(JSON.parse(json)) : undefined;
}

/** Returns the index worker's handlers for models of the open notebook. */
export function modelsHandlers(notebook: () => { readonly models: Models }): Handlers<ModelsApi> {
  return {
    pickedModels: ({ conversationId }) => notebook().models.readSelected(conversationId),
    pickModel: ({ choice, conversationId }) => notebook().models.pick(choice, conversationId),
    addUsage: (entry) => notebook().models.addUsage(entry),
    usage: () => notebook().models.usage(),
  };
}
