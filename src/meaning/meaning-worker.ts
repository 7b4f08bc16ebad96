import { constants, setPriority } from 'node:os';
import { watchMemory } from '../messages/memory-watch.ts';
import { portOfParentProcess } from '../messages/node-port.ts';
import { connect, type NothingAsked } from '../messages/rpc.ts';
import { takeTranslation } from '../messages/translation.ts';
import type { MeaningApi } from './api.ts';
import { checkModel } from './check-model.ts';
import { openStaticModel, type StaticModel } from './static-model.ts';

watchMemory(Number(process.argv[2]));
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // It works as well without.
}
process.once('disconnect', () => {
  process.exit();
});
// What comes first is in which language to speak.
process.once('message', takeTranslation);

/** The model that was asked last. */
let opened: { readonly folder: string; readonly model: Promise<StaticModel> } | undefined;

connect<MeaningApi, NothingAsked>(portOfParentProcess(), {
  check: ({ folder, files }, { signal }) => checkModel(folder, files, signal),
  vectors: async ({ folder, texts }) => {
    const model = await modelIn(folder);
    return texts.map((text) => model.vectorOf(text) ?? null);
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
