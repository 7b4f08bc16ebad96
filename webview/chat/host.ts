import type { HostApi } from '../../src/messages/panel.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** What the parts of the panel can ask of the extension. */
export type Host = PageHost<HostApi>;

export const HostContext = createHostContext<HostApi>();
