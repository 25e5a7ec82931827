import type { HandlerTable } from '../cluster/call';
import { accessAclHandlers } from './access/acl';
import { accessDomainsHandlers } from './access/domains';
import { accessGroupsHandlers } from './access/groups';
import { accessPasswordHandlers } from './access/password';
import { accessPermissionsHandlers } from './access/permissions';
import { accessRolesHandlers } from './access/roles';
import { accessTicketHandlers } from './access/ticket';
import { accessTokensHandlers } from './access/tokens';
import { accessUsersHandlers } from './access/users';
import { clusterBackupInfoHandlers } from './cluster/backup-info';
import { clusterConfigHandlers } from './cluster/config';
import { clusterOptionsHandlers } from './cluster/options';
import { clusterMappingHandlers } from './cluster/mapping';
import { clusterNextIdHandlers } from './cluster/nextid';
import { clusterResourcesHandlers } from './cluster/resources';
import { clusterStatusHandlers } from './cluster/status';
import { clusterTasksHandlers } from './cluster/tasks';
import { firewallAliasHandlers } from './firewall/aliases';
import { firewallGroupHandlers } from './firewall/groups';
import { firewallIpSetHandlers } from './firewall/ipsets';
import { firewallOptionHandlers } from './firewall/options';
import { firewallRuleHandlers } from './firewall/rules';
import { haGroupHandlers } from './ha/groups';
import { haResourceHandlers } from './ha/resources';
import { haRuleHandlers } from './ha/rules';
import { haStatusHandlers } from './ha/status';
import { indexListHandlers } from './index-lists';
import { lxcListHandlers } from './lxc/list';
import { nodeCapabilitiesHandlers } from './nodes/capabilities';
import { nodeHardwareHandlers } from './nodes/hardware';
import { nodeNetworkHandlers } from './nodes/network';
import { nodeHandlers } from './nodes/node';
import { nodePowerHandlers } from './nodes/power';
import { nodeServiceHandlers } from './nodes/services';
import { nodeTrafficHandlers } from './nodes/traffic';
import { nodeVzdumpHandlers } from './nodes/vzdump';
import { poolHandlers } from './pools';
import { nodeBulkHandlers } from './nodes/bulk';
import { lxcPowerHandlers } from './lxc/power';
import { lxcReadHandlers } from './lxc/read';
import { qemuAgentHandlers } from './qemu/agent';
import { qemuCloneHandlers } from './qemu/clone';
import { qemuCloudInitHandlers } from './qemu/cloudinit';
import { qemuConfigHandlers } from './qemu/config';
import { qemuConsoleHandlers } from './qemu/console';
import { qemuCreateHandlers } from './qemu/create';
import { qemuDeleteHandlers } from './qemu/delete';
import { qemuDiskHandlers } from './qemu/disks';
import { qemuFeatureHandlers } from './qemu/feature';
import { qemuListHandlers } from './qemu/list';
import { qemuMigrateHandlers } from './qemu/migrate';
import { qemuMonitorHandlers } from './qemu/monitor';
import { qemuRrdDataHandlers } from './qemu/rrddata';
import { qemuSnapshotHandlers } from './qemu/snapshot';
import { qemuStatusHandlers } from './qemu/status';
import { qemuTemplateHandlers } from './qemu/template';
import { storageConfigHandlers } from './storage/config';
import { storageContentHandlers } from './storage/content';
import { storageDownloadHandlers } from './storage/download';
import { storagePruneHandlers } from './storage/prune';
import { storageStatusHandlers } from './storage/status';
import { storageUploadHandlers } from './storage/upload';
import { taskHandlers } from './nodes/tasks';
import { versionHandlers } from './version';

const TABLES: HandlerTable[] = [
  accessAclHandlers,
  accessDomainsHandlers,
  accessGroupsHandlers,
  accessPasswordHandlers,
  accessPermissionsHandlers,
  accessRolesHandlers,
  accessTicketHandlers,
  accessTokensHandlers,
  accessUsersHandlers,
  clusterBackupInfoHandlers,
  clusterConfigHandlers,
  clusterMappingHandlers,
  clusterOptionsHandlers,
  clusterNextIdHandlers,
  clusterResourcesHandlers,
  clusterStatusHandlers,
  clusterTasksHandlers,
  firewallAliasHandlers,
  firewallGroupHandlers,
  firewallIpSetHandlers,
  firewallOptionHandlers,
  firewallRuleHandlers,
  haGroupHandlers,
  haResourceHandlers,
  haRuleHandlers,
  haStatusHandlers,
  indexListHandlers,
  lxcListHandlers,
  lxcPowerHandlers,
  lxcReadHandlers,
  nodeBulkHandlers,
  nodeCapabilitiesHandlers,
  nodeNetworkHandlers,
  nodeHandlers,
  nodeHardwareHandlers,
  nodePowerHandlers,
  nodeServiceHandlers,
  nodeTrafficHandlers,
  nodeVzdumpHandlers,
  poolHandlers,
  qemuAgentHandlers,
  qemuCloneHandlers,
  qemuCloudInitHandlers,
  qemuConfigHandlers,
  qemuConsoleHandlers,
  qemuCreateHandlers,
  qemuDeleteHandlers,
  qemuDiskHandlers,
  qemuFeatureHandlers,
  qemuListHandlers,
  qemuMigrateHandlers,
  qemuMonitorHandlers,
  qemuRrdDataHandlers,
  qemuSnapshotHandlers,
  qemuStatusHandlers,
  qemuTemplateHandlers,
  storageConfigHandlers,
  storageContentHandlers,
  storageDownloadHandlers,
  storagePruneHandlers,
  storageStatusHandlers,
  storageUploadHandlers,
  taskHandlers,
  versionHandlers,
];

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = joined(TABLES);

/** The tables as one. Fails when two answer the same route: only one of them would ever be asked. */
function joined(tables: HandlerTable[]): HandlerTable {
  const all: HandlerTable = {};
  for (const [route, handler] of tables.flatMap(table => Object.entries(table))) {
    if (all[route]) throw new Error(`'${route}' has two handlers`);
    all[route] = handler;
  }
  return all;
}
