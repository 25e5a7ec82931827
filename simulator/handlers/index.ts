import type { HandlerTable } from '../call';
import { qemuListHandlers } from './qemu-list';
import { qemuStatusHandlers } from './qemu-status';
import { taskHandlers } from './tasks';
import { versionHandlers } from './version';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = {
  ...qemuListHandlers,
  ...qemuStatusHandlers,
  ...taskHandlers,
  ...versionHandlers,
};
