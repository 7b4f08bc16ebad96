import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import { DiagramView, useDiagram } from './diagram.tsx';
import { CitingHostContext } from './host.ts';

/** The name of the file that code can be inserted into, where one is open. */
export const InsertTarget = createContext<string | undefined>(undefined);

interface CodeBlockProps {
  readonly 'data-language'?: string;
  readonly children?: ComponentChildren;
}

/** Milliseconds that a button says that its code was copied. */
const SAYS_COPIED = 1500;

/** Code of an answer, with its language and what can be done with it. */
export function CodeBlock({ 'data-language': language, children }: CodeBlockProps): JSX.Element {
  const host = useContext(CitingHostContext);
  const target = useContext(InsertTarget);
  const pre = useRef<HTMLPreElement>(null);
  const [wasCopied, setWasCopied] = useState(false);
  useEffect(() => {
    if (!wasCopied) return;
    const timer = setTimeout(() => {
      setWasCopied(false);
    }, SAYS_COPIED);
    return () => clearTimeout(timer);
  }, [wasCopied]);
  const code = (): string => (pre.current?.textContent ?? '').replace(/\n$/, '');
  const diagram = useDiagram(code);
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="language">{language}</span>
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
                ? t('Insert at cursor: no file is open')
                : t('Insert at cursor in {0}', target)
            }
            disabled={target === undefined}
            onPress={() => host.start('insertCode', { code: code() })}
          />
        </div>
      </div>
      {/* Code that is wider than the panel is scrolled by keys. */}
      <pre ref={pre} tabIndex={0} hidden={diagram.state.kind === 'drawn'}>
        {children}
      </pre>
      {language === 'mermaid' && <DiagramView diagram={diagram} />}
    </div>
  );
}
