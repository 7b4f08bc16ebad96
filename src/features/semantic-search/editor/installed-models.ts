import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isModelName } from '../service/api.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../../core/domain/settings.ts';

const modelNotes = v.object({
  name: v.string(),
  licence: v.string(),
  languages: v.string(),
  dimension: v.number(),
  sha256: v.string(),
  /** Size of all its files. */
  bytes: v.number(),
});

/** Model that is installed on this machine. */
export type InstalledModel = Readonly<v.InferOutput<typeof modelNotes>> & { readonly folder: string };

/** File beside a model's files that describes it. It exists only if the model is complete and verified. */
export const NOTES_FILE = 'model.json';

/** Local embedding models for semantic search: one copy of each for all windows. */
export class InstalledModels {
  /** Folder of the installed models. */
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns all complete and verified models. */
  async all(): Promise<readonly InstalledModel[]> {
    const names = await readdir(this.folder).catch(() => []);
    const models = await Promise.all(names.map((name) => this.find(name)));
    return models.filter((model) => model !== undefined);
  }

  /** Returns an installed model by its name. */
  async find(name: string): Promise<InstalledModel | undefined> {
    if (!isModelName(name)) return undefined;
    const folder = join(this.folder, name);
    try {
      const notes: unknown = JSON.parse(await readFile(join(folder, NOTES_FILE), 'utf8'));
      return { ...v.parse(modelNotes, notes), folder };
    } catch {
      // The notes file is written last, so without a valid one the download is incomplete.
      return undefined;
    }
  }

  /** Deletes a model and its partial download from this machine. */
  async remove(name: string): Promise<void> {
    if (!isModelName(name)) return;
    const folder = join(this.folder, name);
    // Deletes the marker of a complete model first.
    await rm(join(folder, NOTES_FILE), { force: true });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await rm(`${folder}.part`, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns the identity of a model in a notebook. It includes the hash, because another table of the same name makes
 * other vectors.
 */
export function embeddingModelFor({ name, sha256 }: Pick<InstalledModel, 'name' | 'sha256'>): EmbeddingModel {
  return { baseUrl: STATIC_ADDRESS, name: `${name}@${sha256.slice(0, 12)}` };
}
