import * as v from 'valibot';
import { pageTabs } from '../../../platform/page-tabs.ts';
import type { CardPageParts } from './page.ts';
import type { CardTabs } from './generate.ts';

const cardsState = v.object({ notebook: v.string(), kind: v.picklist(['deck', 'quiz']), id: v.string() });

/** Manages decks and quizzes in editor tabs, one in each. The code of their pages is loaded with the first use. */
export function flashcardTabs(parts: CardPageParts): CardTabs & { readonly dispose: () => void } {
  const { show, find, dispose } = pageTabs<v.InferOutput<typeof cardsState>>({
    extensionUri: parts.extensionUri,
    viewType: 'openNotebook.cards',
    schema: cardsState,
    key: ({ notebook, kind, id }) => `${notebook} ${kind} ${id}`,
    fill: async (panel, state) => {
      const { fillCardPage } = await import('./page.ts');
      fillCardPage(parts, panel, state, show);
    },
  });
  return {
    show,
    close: (state) => void find(state)?.dispose(),
    dispose,
  };
}
