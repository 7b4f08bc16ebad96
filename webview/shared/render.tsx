import type { Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { createContext, Fragment, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { jsx, jsxs } from 'preact/jsx-runtime';
import { Formula } from './formula.tsx';

/** Opens a web address outside of the webview. */
export const OpenLink = createContext<(url: string) => void>(() => undefined);

/** Renders a safe tree. `components` replace the elements with their names. */
export function renderTree(tree: Root, components: Readonly<Record<string, unknown>> = {}): JSX.Element {
  const element: unknown = toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    elementAttributeNameCase: 'html',
    components: { ...directed, a: Anchor, formula: Formula, pre: Code, ...components },
  });
  return element as JSX.Element;
}

interface AnchorProps {
  readonly href?: string;
  readonly id?: string;
  readonly children?: ComponentChildren;
}

/** Shows a link, which never navigates: it goes to the editor, or scrolls to its footnote. */
function Anchor({ href = '', children, ...rest }: AnchorProps): JSX.Element {
  const openLink = useContext(OpenLink);
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    if (href.startsWith('#')) scrollWithin(event.currentTarget, href.slice(1));
    else openLink(href);
  };
  return (
    <a {...rest} href={href} title={href.startsWith('#') ? undefined : href} onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}

function scrollWithin(from: EventTarget | null, id: string): void {
  const article = from instanceof Element ? from.closest('article') : null;
  article?.querySelector(`#${CSS.escape(decodeURIComponent(id))}`)?.scrollIntoView({ block: 'nearest' });
}

/** Shows code. If it is wider than the page, keys scroll it. */
function Code(props: object): JSX.Element {
  return <pre tabIndex={0} {...props} />;
}

/** Elements whose text follows the direction of its own script. */
const directed = Object.fromEntries(
  (['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'p', 'td', 'th'] as const).map((Name) => [
    Name,
    (props: object) => <Name dir="auto" {...props} />,
  ]),
);
