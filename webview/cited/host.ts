import type { CitedTextApi } from '../../src/features/chat/protocol.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** Extension API for cited text, on any page. */
export type CitingHost = PageHost<CitedTextApi>;

export const CitingHostContext = createHostContext<CitedTextApi>();
