import { constants, setPriority } from 'node:os';
import { watchMemory } from './memory-watch.ts';
import { portOfParentProcess } from './node-port.ts';
import { connect, type Api, type Handlers, type NoParameters } from './rpc.ts';
import { takeTranslation } from './translation.ts';

/**
 * Serves the process that forked this one, in its language, with a lower priority than the editor. This process ends
 * with its parent, or if it exceeds its memory limit.
 */
export function serveParentProcess<Local extends Api<Local>>(
  handlers: Handlers<Local>,
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  watchMemory(Number(process.argv[2]));
  try {
    setPriority(priority);
  } catch {
    // The process also works without a lower priority.
  }
  process.once('disconnect', () => process.exit());
  // The first message contains the translation.
  process.once('message', takeTranslation);
  connect<Local, NoParameters>(portOfParentProcess(), handlers);
}
