import type { ResearchHostApi } from '../../src/messages/research.ts';
import { createHostContext, type HostOf } from '../chat/host.ts';

/** What the parts of the page can ask of the extension. */
export type ResearchHost = HostOf<ResearchHostApi>;

export const ResearchHostContext = createHostContext<ResearchHostApi>();
