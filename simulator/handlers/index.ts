import type { HandlerTable } from '../call';
import { ACCESS_HANDLERS } from './access-table';
import { lxcReadHandlers } from './lxc-read';
import { qemuAgentHandlers } from './qemu-agent';
import { qemuCloneHandlers } from './qemu-clone';
import { qemuCloudInitHandlers } from './qemu-cloudinit';
import { qemuConfigHandlers } from './qemu-config';
import { qemuConsoleHandlers } from './qemu-console';
import { qemuCreateHandlers } from './qemu-create';
import { qemuDeleteHandlers } from './qemu-delete';
import { qemuDiskHandlers } from './qemu-disks';
import { qemuFeatureHandlers } from './qemu-feature';
import { qemuListHandlers } from './qemu-list';
import { qemuMigrateHandlers } from './qemu-migrate';
import { qemuSnapshotHandlers } from './qemu-snapshot';
import { qemuStatusHandlers } from './qemu-status';
import { qemuTemplateHandlers } from './qemu-template';
import { storageConfigHandlers } from './storage-config';
import { storageContentHandlers } from './storage-content';
import { storageDownloadHandlers } from './storage-download';
import { storageStatusHandlers } from './storage-status';
import { storageUploadHandlers } from './storage-upload';
import { taskHandlers } from './tasks';
import { versionHandlers } from './version';
import { VIEW_HANDLERS } from './view-tables';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = {
  ...ACCESS_HANDLERS,
  ...lxcReadHandlers,
  ...qemuAgentHandlers,
  ...qemuCloneHandlers,
  ...qemuCloudInitHandlers,
  ...qemuConfigHandlers,
  ...qemuConsoleHandlers,
  ...qemuCreateHandlers,
  ...qemuDeleteHandlers,
  ...qemuDiskHandlers,
  ...qemuFeatureHandlers,
  ...qemuListHandlers,
  ...qemuMigrateHandlers,
  ...qemuSnapshotHandlers,
  ...qemuStatusHandlers,
  ...qemuTemplateHandlers,
  ...storageConfigHandlers,
  ...storageContentHandlers,
  ...storageDownloadHandlers,
  ...storageStatusHandlers,
  ...storageUploadHandlers,
  ...taskHandlers,
  ...versionHandlers,
  ...VIEW_HANDLERS,
};
