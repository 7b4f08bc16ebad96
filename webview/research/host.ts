import type { ResearchHostApi } from '../../src/features/research/protocol.ts';
import { createHostContext, type PageHost } from '../shared/page-host.ts';

/** Extension API for the components of the page. */
export type ResearchHost = PageHost<ResearchHostApi>;

export const ResearchHostContext = createHostContext<ResearchHostApi>();
