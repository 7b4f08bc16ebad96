import { serveParentProcess } from '../../../core/rpc/serve-process.ts';
import type { MeaningApi } from './api.ts';
import { checkModel, openStaticModel, type StaticModel } from './static-model.ts';

/** Most recently used model. */
let opened: { readonly folder: string; readonly model: Promise<StaticModel> } | undefined;

serveParentProcess<MeaningApi>({
  check: ({ folder, files }, { signal }) => checkModel(folder, files, signal),
  vectors: async ({ folder, texts }) => {
    const model = await modelIn(folder);
    return texts.map((text) => model.embed(text) ?? null);
  },
});

async function modelIn(folder: string): Promise<StaticModel> {
  if (opened?.folder !== folder) {
    const before = opened?.model;
    const model = openStaticModel(folder);
    opened = { folder, model };
    model.catch(() => {
      opened = undefined;
    });
    await before?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }
  return opened.model;
}
