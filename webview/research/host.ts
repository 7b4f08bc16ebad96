import type { ResearchHostApi } from '../../src/messages/research.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** Extension API for the components of the page. */
export type ResearchHost = PageHost<ResearchHostApi>;

export const ResearchHostContext = createHostContext<ResearchHostApi>();
