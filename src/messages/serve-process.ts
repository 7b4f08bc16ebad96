import { constants, setPriority } from 'node:os';
import { watchMemory } from './memory-watch.ts';
import { portOfParentProcess } from './node-port.ts';
import { connect, type Api, type Handlers, type NothingAsked } from './rpc.ts';
import { takeTranslation } from './translation.ts';

/**
 * Answers the process that forked this one, in its language and with a lower priority than the editor has. It ends with
 * that process, and where it holds more memory than it was started with.
 */
export function serveParentProcess<Local extends Api<Local>>(
  handlers: Handlers<Local>,
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  watchMemory(Number(process.argv[2]));
  try {
    setPriority(priority);
  } catch {
    // It works as well without.
  }
  process.once('disconnect', () => process.exit());
  // What comes first is in which language to speak.
  process.once('message', takeTranslation);
  connect<Local, NothingAsked>(portOfParentProcess(), handlers);
}
