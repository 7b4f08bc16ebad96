import type { ResearchHostApi } from '../../src/messages/research.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** What the parts of the page can ask of the extension. */
export type ResearchHost = PageHost<ResearchHostApi>;

export const ResearchHostContext = createHostContext<ResearchHostApi>();
