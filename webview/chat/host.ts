import type { HostApi } from '../../src/features/chat/protocol.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** Extension API for the components of the panel. */
export type Host = PageHost<HostApi>;

export const HostContext = createHostContext<HostApi>();
