import type { CitedTextApi } from '../../src/messages/panel.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** Extension API for cited text, on any page. */
export type CitingHost = PageHost<CitedTextApi>;

export const CitingHostContext = createHostContext<CitedTextApi>();
