import { createContext, type ComponentChildren, type JSX, type RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import { DiagramView, useDiagram } from './diagram.tsx';
import { CitingHostContext } from './host.ts';

/** Name of the open file into which code can be inserted, if any. */
export const InsertTarget = createContext<string | undefined>(undefined);

/** True if long code shows only some of its lines until the reader asks for all. */
export const CodeFolds = createContext(false);

/** Label above code that replaces its language. */
export const CodeHead = createContext<JSX.Element | undefined>(undefined);

/** Number of visible lines of folded code, equal to the number in its style sheet. */
const FOLDED_LINES = 12;

interface CodeBlockProps {
  readonly 'data-language'?: string;
  readonly children?: ComponentChildren;
}

/** Time that a button shows that its code was copied, in milliseconds. */
const COPIED_NOTICE_MS = 1500;

/** Shows a code block of an answer, with its language and actions. */
export function CodeBlock({ 'data-language': language, children }: CodeBlockProps): JSX.Element {
  const host = useContext(CitingHostContext);
  const target = useContext(InsertTarget);
  const pre = useRef<HTMLPreElement>(null);
  const [wasCopied, setWasCopied] = useState(false);
  useEffect(() => {
    if (!wasCopied) return;
    const timer = setTimeout(() => {
      setWasCopied(false);
    }, COPIED_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [wasCopied]);
  const code = (): string => (pre.current?.textContent ?? '').replace(/\n$/, '');
  const diagram = useDiagram(code);
  const head = useContext(CodeHead);
  const fold = useFold(pre, code);
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="language ellipsis">{head ?? language}</span>
        <div class="actions" role="toolbar" aria-label={t('Code')}>
          <IconButton
            icon={wasCopied ? 'check' : 'copy'}
            label={wasCopied ? t('Copied') : t('Copy code')}
            onPress={() => {
              host.start('copy', { text: code() });
              setWasCopied(true);
            }}
          />
          <IconButton
            icon="insert"
            label={
              target === undefined
                ? t('Insert at cursor (no file is open)')
                : t('Insert at cursor in {0}', target)
            }
            disabled={target === undefined}
            onPress={() => host.start('insertCode', { code: code() })}
          />
        </div>
      </div>
      {/* Code that is wider than the panel is scrolled by keys. */}
      <pre
        ref={pre}
        class={fold.isFolded ? 'folded' : undefined}
        tabIndex={0}
        hidden={diagram.state.kind === 'drawn'}
      >
        {children}
      </pre>
      {fold.lines > FOLDED_LINES && diagram.state.kind !== 'drawn' && (
        <button type="button" class="link unfold" aria-expanded={!fold.isFolded} onClick={fold.toggle}>
          {fold.isFolded ? t('Show all {0} lines', fold.lines.toLocaleString()) : t('Show fewer lines')}
        </button>
      )}
      {language === 'mermaid' && <DiagramView diagram={diagram} />}
    </div>
  );
}

interface Fold {
  readonly isFolded: boolean;
  /** Number of lines if the code can be folded; else 0. */
  readonly lines: number;
  readonly toggle: () => void;
}

/** Folds long code at the first marked words in it, if code folding is on. */
function useFold(pre: RefObject<HTMLPreElement | null>, code: () => string): Fold {
  const folds = useContext(CodeFolds);
  const [lines, setLines] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = lines > FOLDED_LINES && !isOpen;
  useLayoutEffect(() => setLines(folds ? code().split('\n').length : 0), [folds]);
  useLayoutEffect(() => {
    const mark = pre.current?.querySelector('mark');
    if (!isFolded || pre.current === null || !mark) return;
    const distance = mark.getBoundingClientRect().top - pre.current.getBoundingClientRect().top;
    pre.current.scrollTop += distance - pre.current.clientHeight / 3;
  }, [isFolded]);
  return { isFolded, lines, toggle: () => setIsOpen(!isOpen) };
}
