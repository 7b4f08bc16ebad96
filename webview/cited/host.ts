import type { CitedTextApi } from '../../src/messages/panel.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** What cited text can ask of the extension, in whichever page it stands. */
export type CitingHost = PageHost<CitedTextApi>;

export const CitingHostContext = createHostContext<CitedTextApi>();
