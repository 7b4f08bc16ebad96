import { createContext } from 'preact';
import { t } from '@vscode/l10n';
import type { HostApi } from '../../src/messages/panel.ts';
import type { Client, Params } from '../../src/messages/rpc.ts';

/** What the parts of the panel can ask of the extension. */
export interface Host {
  readonly client: Client<HostApi>;
  /** Says in the panel what went wrong, in one sentence. */
  tell(problem: string): void;
  /** Asks without waiting; where it fails, the panel says why. */
  start<M extends keyof HostApi>(method: M, params: Params<HostApi[M]>, onFailed?: () => void): void;
}

export const HostContext = createContext<Host>({
  client: {
    call: () => Promise.reject(new Error(t('The panel is not connected.'))),
    notify: () => undefined,
  },
  tell: () => undefined,
  start: () => undefined,
});
