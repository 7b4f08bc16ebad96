import type { ResearchHostApi } from '../../src/messages/research.ts';
import { createHostContext, type PageHost } from '../chat/host.ts';

/** What the parts of the page can ask of the extension. */
export type ResearchHost = PageHost<ResearchHostApi>;

export const ResearchHostContext = createHostContext<ResearchHostApi>();
