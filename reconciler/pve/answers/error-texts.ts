import { PveError, TaskError } from './errors';
import type { PveErrorKind } from './failure-decisions';

/**
 * The texts by which Proxmox says why, each with the file that emits it (PVE 8.4 and 9.2). It has no other sign:
 * a missing guest, a conflict and a stale digest are all status 500.
 */
const TEXTS: [RegExp, PveErrorKind][] = [
  // pve-guest-common AbstractConfig.pm load_config
  [/^Configuration file '.*' does not exist/, 'not-found'],
  // qemu-server QemuServer.pm check_running: of what is cloned or started
  [/^unable to find configuration file for VM \d+ on node '.*'/, 'not-found'],
  // pve-cluster Cluster.pm check_vmid_unused; qemu-server API2/Qemu.pm create
  [/^(unable to create VM \d+ - )?(VM|CT) \d+ already exists( on node '.*')?/, 'already-exists'],
  // qemu-server API2/Qemu.pm create and clone, same node
  [/^unable to create VM \d+: config file already exists/, 'already-exists'],
  // pve-common Tools.pm file_set_contents on a name that another node took
  [/^close \(rename\) atomic file '.*' failed: File exists/, 'already-exists'],
  // pve-storage Plugin.pm alloc of a volume name that is there
  [/disk image '.*' already exists/, 'already-exists'],
  // pve-common Tools.pm lock_file
  [/can't lock file '.*' - got timeout/, 'locked'],
  // pve-guest-common AbstractConfig.pm check_lock
  [/^(VM|CT) is locked \(.*\)/, 'locked'],
  // pve-cluster Cluster.pm cfs_lock
  [/cfs-lock '.*' error: got lock (request )?timeout/, 'locked'],
  [/cfs-lock '.*' error: no quorum!/, 'no-quorum'],
  // pve-cluster Cluster.pm check_cfs_quorum
  [/cluster not ready - no quorum\?/, 'no-quorum'],
  // pmxcfs turns read-only: the temporary file beside a configuration cannot be opened
  [/unable to open file '\/etc\/pve\/.*' - Permission denied/, 'no-quorum'],
  // pve-common Tools.pm assert_if_modified: move_disk
  [/detected modified configuration - file changed by other user\? Try again\./, 'changed'],
  // qemu-server API2/Qemu.pm: config, and resize in its task
  [/checksum mismatch \(file change by other user\?\)/, 'changed'],
  // pve-cluster Cluster.pm remote_node_ip
  [/^hostname lookup '.*' failed/, 'not-found'],
  [/^no such cluster node '.*'/, 'not-found'],
  // pve-storage Storage.pm storage_config
  [/^storage '.*' does not exist/, 'not-found'],
  // qemu-server: the file that a disk is imported from went before that began (recording 07)
  [/^unable to create VM \d+ - failed to stat '.*\/import\/[^']*'/, 'not-found'],
  // pve-manager API2/Tasks.pm
  [/^no such task$/, 'not-found'],
  // pve-ha-manager API2/HA/Resources.pm (recording d0)
  [/^no such resource '.*'/, 'not-found'],
  [/^create resource failed: resource ID '.*' already defined/, 'changed'],
  // pve-ha-manager HA/Config.pm: somebody took it out of HA in between
  [/^update resources config failed: no such resource '.*'/, 'changed'],
  [/^cannot delete service '.*', not HA managed!/, 'changed'],
  // pve-guest-common AbstractConfig.pm snapshot calls
  [/^snapshot '.*' does not exist/, 'not-found'],
  [/^snapshot name '.*' already used/, 'already-exists'],
];

/** The kind that a text of Proxmox stands for; undefined for texts that say nothing special. */
export function kindOfText(text: string): PveErrorKind | undefined {
  return TEXTS.find(([pattern]) => pattern.test(text.trim()))?.[1];
}

/** The guest whose lock file was held, where a failure says so; a lock of its configuration is another thing. */
export function lockFileHeld(error: unknown): number | undefined {
  // pve-common Tools.pm lock_file, with the path of qemu-server's QemuConfig.pm
  const held = textsIn(error).map(
    text => /can't lock file '\S*\/lock-(\d+)\.conf' - got timeout/.exec(text)?.[1],
  );
  const vmid = held.find(each => each !== undefined);
  return vmid === undefined ? undefined : Number(vmid);
}

// pve-manager API2/Pool.pm update_pool_config; recording g1: about the pool that was asked for, and no other
const POOL_DONE = /^update pools failed: VM \d+ is (?:already|not) a pool member$/;

/** Whether a refusal of a pool says that it is as was wanted. */
export function isPoolDone(text: string): boolean {
  return POOL_DONE.test(text.trim());
}

/** Why Proxmox does not destroy a guest yet, by the texts that say so, each with the file that emits it (PVE 9.2). */
const DESTROY_TEXTS: [RegExp, 'running' | 'in-use'][] = [
  // qemu-server API2/Qemu.pm destroy_vm
  [/^VM \d+ is running - destroy failed/, 'running'],
  // pve-storage: a base volume, a ZFS dataset, an LVM volume, an RBD image that somebody has open
  [/^base volume '.*' is still in use by linked cloned/, 'in-use'],
  [/dataset is busy/, 'in-use'],
  // assumed: no recording shows the next two
  [/Logical volume .* in use/, 'in-use'],
  [/image has watchers|image still has watchers/, 'in-use'],
];

/** Why a destroy was refused for now; undefined for every other failure. */
export function destroyHindrance(error: unknown): 'running' | 'in-use' | undefined {
  if (!(error instanceof PveError) && !(error instanceof TaskError)) return undefined;
  const text = error instanceof PveError ? error.facts.text : error.task.exitStatus;
  return DESTROY_TEXTS.find(([pattern]) => pattern.test(text.trim()))?.[1];
}

/** What the tools of the storages say when there is no room left (assumed: no recording shows them). */
const NO_ROOM = [
  // lvm2: lvcreate, thick and thin
  /has insufficient free space \(\d+ extents\)/,
  /free space in thin pool \S+ reached threshold/,
  // zfs create
  /: out of space$/m,
  // qemu-img and the file system below it
  /No space left on device/,
];

/** Whether a failure tells that a storage is full. */
export function isOutOfRoom(error: unknown): boolean {
  return textsIn(error).some(text => NO_ROOM.some(pattern => pattern.test(text)));
}

/** What Proxmox and the tools of the storages say of a volume that is not there. */
const GONE = [
  // pve-storage, of a file: activating it (recording g6, step 26)
  /^(?:.*: )?volume '.*' does not exist/,
  // assumed: no recording shows the next ones. pve-storage LVMPlugin.pm and lvm2
  /Failed to find logical volume|no such logical volume/,
  // zfs
  /dataset does not exist/,
  // librbd, and qemu-img of a file that went in between
  /error opening image .*No such file or directory|Could not open '.*': No such file or directory/,
];

/** Whether a failure tells that a volume is not there. */
export function isVolumeGone(error: unknown): boolean {
  return textsIn(error).some(isAboutGone);
}

/** Which of these volumes it tells to be gone: a tool of a storage names them without the storage. */
export function volumesToldGone(error: unknown, volumes: readonly string[]): string[] {
  const told = textsIn(error).filter(isAboutGone);
  return volumes.filter(volume => {
    const name = volume.slice(Math.max(volume.lastIndexOf('/'), volume.indexOf(':')) + 1);
    // disk-1 is not disk-10
    return told.some(text =>
      text
        .split(name)
        .slice(1)
        .some(rest => !/^\w/.test(rest)),
    );
  });
}

function isAboutGone(text: string): boolean {
  return GONE.some(pattern => pattern.test(text.trim()));
}

function textsIn(error: unknown): string[] {
  if (error instanceof TaskError) return [...error.task.log, error.task.exitStatus];
  return error instanceof PveError ? [error.facts.text, ...Object.values(error.facts.parameters ?? {})] : [];
}
