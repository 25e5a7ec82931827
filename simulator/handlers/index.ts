import type { HandlerTable } from '../call';
import { accessAclHandlers } from './access-acl';
import { accessGroupsHandlers } from './access-groups';
import { accessPasswordHandlers } from './access-password';
import { accessRolesHandlers } from './access-roles';
import { accessTokensHandlers } from './access-tokens';
import { accessUsersHandlers } from './access-users';
import { accessDomainsHandlers } from './access-domains';
import { accessPermissionsHandlers } from './access-permissions';
import { accessTicketHandlers } from './access-ticket';
import { qemuFeatureHandlers } from './qemu-feature';
import { qemuSnapshotHandlers } from './qemu-snapshot';
import { qemuDeleteHandlers } from './qemu-delete';
import { qemuCloneHandlers } from './qemu-clone';
import { qemuTemplateHandlers } from './qemu-template';
import { clusterOptionsHandlers } from './cluster-options';
import { clusterResourcesHandlers } from './cluster-resources';
import { clusterStatusHandlers } from './cluster-status';
import { clusterTasksHandlers } from './cluster-tasks';
import { indexListHandlers } from './index-lists';
import { qemuCloudInitHandlers } from './qemu-cloudinit';
import { qemuConfigHandlers } from './qemu-config';
import { qemuCreateHandlers } from './qemu-create';
import { qemuListHandlers } from './qemu-list';
import { qemuStatusHandlers } from './qemu-status';
import { storageConfigHandlers } from './storage-config';
import { storageContentHandlers } from './storage-content';
import { storageDownloadHandlers } from './storage-download';
import { storageStatusHandlers } from './storage-status';
import { storageUploadHandlers } from './storage-upload';
import { taskHandlers } from './tasks';
import { versionHandlers } from './version';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = {
  ...accessAclHandlers,
  ...indexListHandlers,
  ...clusterOptionsHandlers,
  ...clusterResourcesHandlers,
  ...clusterStatusHandlers,
  ...clusterTasksHandlers,
  ...accessDomainsHandlers,
  ...accessGroupsHandlers,
  ...accessPasswordHandlers,
  ...accessRolesHandlers,
  ...accessTokensHandlers,
  ...accessUsersHandlers,
  ...accessPermissionsHandlers,
  ...accessTicketHandlers,
  ...qemuFeatureHandlers,
  ...qemuSnapshotHandlers,
  ...qemuDeleteHandlers,
  ...qemuCloneHandlers,
  ...qemuTemplateHandlers,
  ...qemuCloudInitHandlers,
  ...qemuConfigHandlers,
  ...qemuCreateHandlers,
  ...qemuListHandlers,
  ...qemuStatusHandlers,
  ...storageConfigHandlers,
  ...storageContentHandlers,
  ...storageDownloadHandlers,
  ...storageStatusHandlers,
  ...storageUploadHandlers,
  ...taskHandlers,
  ...versionHandlers,
};
