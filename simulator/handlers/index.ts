import type { HandlerTable } from '../call';
import { accessDomainsHandlers } from './access-domains';
import { accessPermissionsHandlers } from './access-permissions';
import { accessTicketHandlers } from './access-ticket';
import { clusterOptionsHandlers } from './cluster-options';
import { clusterResourcesHandlers } from './cluster-resources';
import { clusterStatusHandlers } from './cluster-status';
import { clusterTasksHandlers } from './cluster-tasks';
import { indexListHandlers } from './index-lists';
import { qemuListHandlers } from './qemu-list';
import { qemuStatusHandlers } from './qemu-status';
import { taskHandlers } from './tasks';
import { versionHandlers } from './version';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = {
  ...indexListHandlers,
  ...clusterOptionsHandlers,
  ...clusterResourcesHandlers,
  ...clusterStatusHandlers,
  ...clusterTasksHandlers,
  ...accessDomainsHandlers,
  ...accessPermissionsHandlers,
  ...accessTicketHandlers,
  ...qemuListHandlers,
  ...qemuStatusHandlers,
  ...taskHandlers,
  ...versionHandlers,
};
