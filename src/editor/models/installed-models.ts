import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isModelName } from '../../meaning/api.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../notebook/settings.ts';

const modelNotes = v.object({
  name: v.string(),
  licence: v.string(),
  languages: v.string(),
  dimension: v.number(),
  sha256: v.string(),
  /** Of all its files. */
  bytes: v.number(),
});

/** A model that is on this machine. */
export type InstalledModel = Readonly<v.InferOutput<typeof modelNotes>> & { readonly folder: string };

/** What is said of a model beside its files, once it is whole and checked. */
export const NOTES_FILE = 'model.json';

/** The models on this machine by which passages are found by their meaning: one copy of each for all windows. */
export class InstalledModels {
  /** Where they are kept. */
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** All that are whole and checked. */
  async all(): Promise<readonly InstalledModel[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found.filter((model) => model !== undefined);
  }

  /** One of them. */
  async find(name: string): Promise<InstalledModel | undefined> {
    if (!isModelName(name)) return undefined;
    const folder = join(this.folder, name);
    try {
      const notes: unknown = JSON.parse(await readFile(join(folder, NOTES_FILE), 'utf8'));
      return { ...v.parse(modelNotes, notes), folder };
    } catch {
      return undefined;
    }
  }

  /** Takes a model from this machine, and what has come of it. */
  async remove(name: string): Promise<void> {
    if (!isModelName(name)) return;
    const folder = join(this.folder, name);
    // What says that it is whole goes first.
    await rm(join(folder, NOTES_FILE), { force: true });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await rm(`${folder}.part`, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What stands for a model in a notebook: vectors of the same name made with another table are others. */
export function embeddingModelFor({ name, sha256 }: Pick<InstalledModel, 'name' | 'sha256'>): EmbeddingModel {
  return { baseUrl: STATIC_ADDRESS, name: `${name}@${sha256.slice(0, 12)}` };
}
