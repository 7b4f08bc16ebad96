import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type {
  CheckedDraft,
  PassageToCite,
  ResearchPanelState,
} from '../../src/features/research/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { BoardStep, Research } from '../../src/features/research/model/project.ts';
import {
  citePassage,
  readDraft,
  withoutPassage,
  writeDraft,
  type Draft,
} from '../../src/features/research/model/draft.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { ResearchHostContext } from './host.ts';
import { PassageList } from './passage-list.tsx';
import { CitedText, ProductView } from './product-view.tsx';
import { SkillUse } from './skill-use.tsx';
import { CheckNotes } from './check-notes.tsx';
import { checkInWords, materialInWords } from './words.ts';

/** Delay after the last key before typed text is saved, in milliseconds. */
const SAVE_DELAY_MS = 400;

interface OwnStepProps {
  readonly state: ResearchPanelState;
  readonly research: Research;
  readonly step: BoardStep;
}

/** Lets the user do a step: write Markdown, cite passages from a search, and submit the result. */
export function OwnStep({ state, research, step }: OwnStepProps): JSX.Element {
  const host = useContext(ResearchHostContext);
  const field = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [draft, setDraft] = useState<Draft>(() => readDraft(step.draft));
  const [checked, setChecked] = useState<CheckedDraft>();
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(draft);
  const stepId = step.id;

  useEffect(() => {
    field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);
  const keep = (next: Draft): void => {
    latest.current = next;
    setDraft(next);
    setChecked(undefined);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      host.start('draft', { stepId, draft: writeDraft(next) });
    }, SAVE_DELAY_MS);
  };
  const send = (method: 'checkDraft' | 'submit'): void => {
    clearTimeout(timer.current);
    setIsBusy(true);
    const written = writeDraft(latest.current);
    const sent = async (): Promise<void> => {
      await host.client.call('draft', { stepId, draft: written });
      if (method === 'submit') await host.client.call('submit', { stepId, draft: written });
      else setChecked(await host.client.call('checkDraft', { stepId, draft: written }));
    };
    sent()
      .catch((error: unknown) => host.showProblem(errorMessage(error)))
      .finally(() => setIsBusy(false));
  };
  const cite = (passage: PassageToCite): void => {
    const at = field.current?.selectionEnd ?? draft.text.length;
    const next = citePassage(draft, passage.picked, at);
    keep({ text: next.text, picked: next.picked });
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.at, next.at);
    });
  };
  const materials = research.products.filter(({ id }) => step.materials.includes(id));
  return (
    <div class="own-step">
      {materials.map(({ id, createdAt }) => (
        <details key={id} class="material">
          <summary>{materialInWords(id, research, state.sources)}</summary>
          <ProductView productId={id} createdAt={createdAt} />
        </details>
      ))}
      <textarea
        ref={field}
        class="writing"
        rows={6}
        dir="auto"
        aria-label={t('Your result')}
        placeholder={t('Write your result in Markdown. Passages that you cite below are marked [1], [2].')}
        value={draft.text}
        onInput={({ currentTarget }) => keep({ ...draft, text: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
          event.preventDefault();
          if (!isBusy) send('submit');
        }}
      />
      {draft.picked.length > 0 && (
        <ol class="plain-list picked" aria-label={t('Cited passages')}>
          {draft.picked.map(({ label }, index) => (
            <li key={index}>
              <span class="number">{(index + 1).toLocaleString()}</span>
              <span dir="auto">{label}</span>
              <IconButton
                icon="close"
                label={t('Remove citation of {0}', label)}
                onPress={() => keep(withoutPassage(draft, index))}
              />
            </li>
          ))}
        </ol>
      )}
      {checked !== undefined && (
        <div class="checked" role="status">
          <p class="quiet">{checkInWords(checked.check)}</p>
          <CheckNotes check={checked.check} />
          <CitedText textId={`draft:${stepId}`} {...checked} />
        </div>
      )}
      <div class="ways">
        <vscode-button
          title={t('Submit (Ctrl+Enter)')}
          disabled={isBusy || draft.text.trim() === ''}
          onClick={() => send('submit')}
        >
          {t('Submit')}
        </vscode-button>
        <vscode-button
          appearance="secondary"
          disabled={isBusy || draft.text.trim() === ''}
          onClick={() => send('checkDraft')}
        >
          {t('Check Draft')}
        </vscode-button>
        <vscode-button
          appearance="secondary"
          onClick={() => {
            clearTimeout(timer.current);
            host.client
              .call('draft', { stepId, draft: writeDraft(latest.current) })
              .then(() => host.client.call('giveBack', { stepId }))
              .catch((error: unknown) => host.showProblem(errorMessage(error)));
          }}
        >
          {t('Unassign')}
        </vscode-button>
      </div>
      <PassageSearch onCite={cite} />
      {state.isTrusted && (
        <SkillUse
          stepId={stepId}
          skills={state.skills.filter(({ isTool, input }) => isTool && input !== undefined)}
          onCite={cite}
          onTake={(text) =>
            keep({ ...draft, text: [draft.text.trimEnd(), text].filter(Boolean).join('\n\n') })
          }
        />
      )}
    </div>
  );
}

/** Looks for passages to cite. */
function PassageSearch({ onCite }: { readonly onCite: (passage: PassageToCite) => void }): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [words, setWords] = useState('');
  const [passages, setFound] = useState<readonly PassageToCite[]>();
  const [isBusy, setIsBusy] = useState(false);
  const look = (): void => {
    const query = words.trim();
    if (query === '') return;
    setIsBusy(true);
    host.client
      .call('findPassages', { words: query })
      .then(setFound, (error: unknown) => host.showProblem(errorMessage(error)))
      .finally(() => setIsBusy(false));
  };
  return (
    <form
      class="passage-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        look();
      }}
    >
      <input
        type="search"
        dir="auto"
        aria-label={t('Search sources for passages to cite')}
        placeholder={t('Search sources for passages to cite')}
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <div role="status" class="quiet">
        {isBusy
          ? t('Searching…')
          : passages?.length === 0
            ? t('No matching passages. Try different words.')
            : ''}
      </div>
      {passages !== undefined && <PassageList passages={passages} onCite={onCite} />}
    </form>
  );
}
