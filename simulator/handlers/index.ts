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
import { clusterConfigHandlers } from './cluster/config';
import { clusterOptionsHandlers } from './cluster/options';
import { clusterMappingHandlers } from './cluster/mapping';
import { clusterNextIdHandlers } from './cluster/nextid';
import { clusterResourcesHandlers } from './cluster/resources';
import { clusterStatusHandlers } from './cluster/status';
import { clusterTasksHandlers } from './cluster/tasks';
import { haArmHandlers } from './ha/arm';
import { haGroupHandlers } from './ha/groups';
import { haResourceHandlers } from './ha/resources';
import { haRuleHandlers } from './ha/rules';
import { haStatusHandlers } from './ha/status';
import { indexListHandlers } from './index-lists';
import { nodeNetworkHandlers } from './nodes/network';
import { nodeHandlers } from './nodes/node';
import { nodePowerHandlers } from './nodes/power';
import { poolHandlers } from './pools';
import { nodeBulkHandlers } from './nodes/bulk';
import { qemuAgentHandlers } from './qemu/agent';
import { qemuCloneHandlers } from './qemu/clone';
import { qemuCloudInitHandlers } from './qemu/cloudinit';
import { qemuConfigHandlers } from './qemu/config';
import { qemuCreateHandlers } from './qemu/create';
import { qemuDeleteHandlers } from './qemu/delete';
import { qemuDiskHandlers } from './qemu/disks';
import { qemuFeatureHandlers } from './qemu/feature';
import { qemuListHandlers } from './qemu/list';
import { qemuMigrateHandlers } from './qemu/migrate';
import { qemuSnapshotHandlers } from './qemu/snapshot';
import { qemuStatusHandlers } from './qemu/status';
import { qemuTemplateHandlers } from './qemu/template';
import { storageConfigHandlers } from './storage/config';
import { storageContentHandlers } from './storage/content';
import { storageDownloadHandlers } from './storage/download';
import { storageStatusHandlers } from './storage/status';
import { storageUploadHandlers } from './storage/upload';
import { taskHandlers } from './nodes/tasks';
import { versionHandlers } from './version';

/** What the life of a machine needs, and what it stands on. The rest is in simulator/extras. */
export const CORE: readonly HandlerTable[] = [
  accessAclHandlers,
  accessDomainsHandlers,
  accessGroupsHandlers,
  accessPasswordHandlers,
  accessPermissionsHandlers,
  accessRolesHandlers,
  accessTicketHandlers,
  accessTokensHandlers,
  accessUsersHandlers,
  clusterConfigHandlers,
  clusterMappingHandlers,
  clusterOptionsHandlers,
  clusterNextIdHandlers,
  clusterResourcesHandlers,
  clusterStatusHandlers,
  clusterTasksHandlers,
  haArmHandlers,
  haGroupHandlers,
  haResourceHandlers,
  haRuleHandlers,
  haStatusHandlers,
  indexListHandlers,
  nodeBulkHandlers,
  nodeNetworkHandlers,
  nodeHandlers,
  nodePowerHandlers,
  poolHandlers,
  qemuAgentHandlers,
  qemuCloneHandlers,
  qemuCloudInitHandlers,
  qemuConfigHandlers,
  qemuCreateHandlers,
  qemuDeleteHandlers,
  qemuDiskHandlers,
  qemuFeatureHandlers,
  qemuListHandlers,
  qemuMigrateHandlers,
  qemuSnapshotHandlers,
  qemuStatusHandlers,
  qemuTemplateHandlers,
  storageConfigHandlers,
  storageContentHandlers,
  storageDownloadHandlers,
  storageStatusHandlers,
  storageUploadHandlers,
  taskHandlers,
  versionHandlers,
];
