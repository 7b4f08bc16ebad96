// The only module that uses the UI toolkit, because the toolkit is archived and may need a replacement.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDivider,
  vsCodeLink,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';
import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { pageNonce } from './nonce.ts';

provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDivider(), vsCodeLink(), vsCodeProgressRing());

declare module 'preact' {
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<HTMLElement> & { appearance?: string; disabled?: boolean };
      'vscode-divider': HTMLAttributes<HTMLElement>;
      'vscode-link': HTMLAttributes<HTMLElement> & { href?: string };
      'vscode-progress-ring': HTMLAttributes<HTMLElement>;
    }
  }
}

interface ButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly look?: 'primary' | 'secondary';
}

/** Shows a button with a label. */
export function Button({ label, onPress, look = 'primary' }: ButtonProps): JSX.Element {
  return (
    <vscode-button appearance={look} onClick={onPress}>
      {label}
    </vscode-button>
  );
}

interface IconButtonProps {
  /** A codicon's name. */
  readonly icon: string;
  /** Its name for screen readers, and its tooltip. */
  readonly label: string;
  readonly onPress: () => void;
  readonly disabled?: boolean;
  /** State of a toggle button; undefined for other buttons. */
  readonly pressed?: boolean;
}

/** Shows a button with only an icon. */
export function IconButton({
  icon,
  label,
  onPress,
  disabled = false,
  pressed,
}: IconButtonProps): JSX.Element {
  return (
    <vscode-button
      appearance="icon"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onPress}
    >
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
    </vscode-button>
  );
}

interface LinkProps {
  readonly url: string;
  readonly title: string;
  readonly onOpen: () => void;
  readonly children: ComponentChildren;
}

/** Shows a web address that opens outside of the webview, and only on a click. */
export function WebLink({ url, title, onOpen, children }: LinkProps): JSX.Element {
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    onOpen();
  };
  return (
    <vscode-link href={url} title={title} onClick={open} onAuxClick={open}>
      {children}
    </vscode-link>
  );
}

/** Shows next to text that an operation is in progress. */
export function ProgressRing(): JSX.Element {
  return <vscode-progress-ring aria-hidden="true" />;
}

/** Shows a line between unrelated items. */
export function Divider(): JSX.Element {
  return <vscode-divider role="separator" />;
}

// The UI toolkit asks the browser, by a style element, whether it knows :focus-visible. The policy of the page
// lets that element in only with the nonce of the page's script, which the toolkit looks for in this tag.
const nonce = pageNonce();
if (nonce !== undefined) {
  const tag = document.createElement('meta');
  tag.setAttribute('property', 'csp-nonce');
  tag.content = nonce;
  document.head.append(tag);
}
