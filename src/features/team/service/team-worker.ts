import { serveParentProcess } from '../../../core/rpc/serve-process.ts';
import type { TeamApi } from './api.ts';
import { teamHandlers } from './handlers.ts';

serveParentProcess<TeamApi>(teamHandlers);
