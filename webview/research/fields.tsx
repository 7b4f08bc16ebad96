import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { EditorTool } from '../../src/features/research/protocol.ts';
import type { Bounds, ResearchOptions } from '../../src/features/research/model/project.ts';
import { boundAsTyped, boundOfTyped } from './words.ts';

interface GrowingTextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** Shows a text field that grows with its text. Reports typed text on blur, or after a pause. */
export function GrowingText({
  label,
  value,
  onChange,
  placeholder,
  disabled = false,
}: GrowingTextProps): JSX.Element {
  const [text, setText] = useState(value);
  const lastReported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Apply a change from elsewhere, unless the user is typing here.
    if (value !== lastReported.current) {
      lastReported.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const sendValue = (next: string): void => {
    clearTimeout(timer.current);
    if (next === lastReported.current) return;
    lastReported.current = next;
    onChange(next);
  };
  return (
    <textarea
      class="growing"
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      disabled={disabled}
      value={text}
      onInput={({ currentTarget }) => {
        const next = currentTarget.value;
        setText(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          sendValue(next);
        }, REPORT_DELAY_MS);
      }}
      onBlur={({ currentTarget }) => sendValue(currentTarget.value)}
    />
  );
}

/** Delay after the last key before typed text is reported, in milliseconds. */
const REPORT_DELAY_MS = 600;

const BOUNDS: readonly { readonly key: keyof Bounds; readonly label: () => string }[] = [
  { key: 'dollars', label: () => t('US dollars') },
  { key: 'tokens', label: () => t('Tokens') },
  { key: 'time', label: () => t('Working time (minutes)') },
  { key: 'requests', label: () => t('Requests') },
  { key: 'toolCalls', label: () => t('Tool calls') },
];

/** Shows the budget fields of a research project. An empty field means no limit. */
export function BoundFields({
  bounds,
  onChange,
}: {
  readonly bounds: Bounds;
  readonly onChange: (bounds: Bounds) => void;
}): JSX.Element {
  return (
    <div class="bounds">
      {BOUNDS.map(({ key, label }) => (
        <label key={key}>
          <span>{label()}</span>
          <input
            type="text"
            inputMode="decimal"
            placeholder={t('No limit')}
            value={boundAsTyped(key, bounds[key])}
            onChange={({ currentTarget }) =>
              onChange({ ...bounds, [key]: boundOfTyped(key, currentTarget.value) })
            }
          />
        </label>
      ))}
    </div>
  );
}

/** Shows the options of a research project. */
export function OptionFields({
  options,
  tools,
  onChange,
}: {
  readonly options: ResearchOptions;
  readonly tools: readonly EditorTool[];
  readonly onChange: (options: ResearchOptions) => void;
}): JSX.Element {
  return (
    <>
      <label class="line">
        <span>{t('Steps that models work on in parallel')}</span>
        <input
          type="number"
          min={1}
          max={8}
          value={options.workers}
          onChange={({ currentTarget }) => {
            const workers = Math.min(8, Math.max(1, Math.round(Number(currentTarget.value)) || 1));
            currentTarget.value = String(workers);
            onChange({ ...options, workers });
          }}
        />
      </label>
      <Check
        label={t('Require my approval of the plan')}
        checked={options.approves}
        onChange={(approves) => onChange({ ...options, approves })}
      />
      <Check
        label={t('Keep unsupported statements and mark them')}
        checked={options.keepsUnsupported}
        onChange={(keepsUnsupported) => onChange({ ...options, keepsUnsupported })}
      />
      {tools.length > 0 && (
        <fieldset>
          <legend>{t('VS Code tools that models can use')}</legend>
          {tools.map(({ name, description }) => (
            <Check
              key={name}
              label={name}
              hint={description}
              checked={options.tools.includes(name)}
              onChange={(isTicked) =>
                onChange({
                  ...options,
                  tools: isTicked
                    ? [...options.tools, name]
                    : options.tools.filter((other) => other !== name),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Shows a checkbox with its label. */
function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly onChange: (isTicked: boolean) => void;
}): JSX.Element {
  return (
    <label class="check" title={hint}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** Shows a message with an action next to it. */
export function Notice({
  icon,
  children,
}: {
  readonly icon: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`notice ${icon}`}>
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
      <div class="words">{children}</div>
    </div>
  );
}
