import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { PassageToCite, SkillEntry, UsedSkill } from '../../src/features/research/protocol.ts';
import { ResearchHostContext } from './host.ts';
import { PassageList } from './passage-list.tsx';
import { skillFields, toInput, type SkillField } from './skill-input.ts';

interface SkillUseProps {
  readonly stepId: string;
  /** Skills that can be used for a step. */
  readonly skills: readonly SkillEntry[];
  readonly onCite: (passage: PassageToCite) => void;
  /** Inserts a result into the user's text. */
  readonly onTake: (text: string) => void;
}

/** Lets the user run a skill for a step, as models do: a table query, a computation, a search. */
export function SkillUse({ stepId, skills, onCite, onTake }: SkillUseProps): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [used, setUsed] = useState<UsedSkill>();
  const [problem, setProblem] = useState('');
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);
  const skill = skills.find((candidate) => candidate.name === name);
  const fields = useMemo(() => skillFields(skill?.input ?? {}), [skill?.name]);
  const use = (): void => {
    const controller = new AbortController();
    setRunning(controller);
    setProblem('');
    setUsed(undefined);
    host.client
      .call('useSkill', { stepId, skill: name, input: toInput(fields, typed) }, { signal: controller.signal })
      .then(setUsed, (error: unknown) => {
        if (!controller.signal.aborted) setProblem(errorMessage(error));
      })
      .finally(() => setRunning(undefined));
  };
  return (
    <details class="skill-use">
      <summary>{t('Use a skill')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (skill !== undefined && running === undefined) use();
        }}
      >
        <select
          aria-label={t('Skill')}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setTyped({});
            setUsed(undefined);
            setProblem('');
          }}
        >
          <option value="">{t('Select')}</option>
          {skills.map((entry) => (
            <option key={entry.name} value={entry.name} title={entry.description}>
              {entry.name}
            </option>
          ))}
        </select>
        {skill !== undefined && <p class="quiet">{skill.description}</p>}
        {fields.map((field) => (
          <Field
            key={`${name} ${field.name}`}
            field={field}
            value={typed[field.name] ?? ''}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
        {skill !== undefined && (
          <div class="ways">
            <vscode-button
              appearance="secondary"
              onClick={() => (running === undefined ? use() : running.abort())}
            >
              {running === undefined ? t('Run Skill') : t('Stop')}
            </vscode-button>
          </div>
        )}
      </form>
      <div role="status">
        {problem !== '' && <p class="problem">{problem}</p>}
        {used !== undefined && used.text.trim() !== '' && (
          <>
            <pre tabIndex={0} dir="auto">
              {used.text}
            </pre>
            <button type="button" class="link" onClick={() => onTake(used.text)}>
              {t('Add to result')}
            </button>
          </>
        )}
      </div>
      {used !== undefined && <PassageList passages={used.passages} onCite={onCite} />}
    </details>
  );
}

function Field({
  field: { name, description, kind, choices, isNeeded },
  value,
  onChange,
}: {
  readonly field: SkillField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const label = isNeeded ? name : t('{0} (optional)', name);
  if (kind === 'flag')
    return (
      <label class="flag" title={description}>
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : '')}
        />
        <span>{label}</span>
      </label>
    );
  return (
    <label>
      <span>{label}</span>
      {description !== '' && <span class="quiet">{description}</span>}
      {kind === 'choice' ? (
        <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{t('Select')}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === 'list' || kind === 'json' ? (
        <textarea
          rows={2}
          dir="auto"
          placeholder={kind === 'list' ? t('One per line') : t('JSON')}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          type="text"
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          dir="auto"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </label>
  );
}
