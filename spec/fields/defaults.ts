/**
 * Defaults of PVE keys: used when we create a guest, never compared with one that exists. Those of Proxmox itself:
 * reconciler/pve/keys.
 */
export const AT_CREATE = {
  disk: { type: 'scsi' },
  network: { model: 'virtio' },
  osType: 'linux',
  scsiController: 'virtio-scsi-single',
  image: { clone: 'linked' },
  efiDisk: { type: '4m' },
  tpm: { version: 'v2.0' },
} as const;

/** Defaults of behaviour: they hold at all times, for adopted and cloned guests too. */
export const ALWAYS = {
  mode: 'reconcile',
  pin: false,
  adopt: false,
  power: 'running',
  shutdownTimeout: '60s',
  forceStop: true,
  restart: 'never',
  rebuildOn: [],
  onImageChange: 'refuse',
  keptVolumes: 'refuse',
  waitFor: 'nothing',
  timeouts: { create: '15m', apply: '15m', destroy: '10m', agent: '3m', cloudInit: '10m' },
  placement: { strategy: 'spread', affinity: { mode: 'hard' }, antiAffinity: { mode: 'hard' } },
  disk: { onRemove: 'keep' },
  cloudInit: { passwordVersion: 1, waitForCompletion: false },
  snapshot: { includeMemory: false, onDestroy: 'delete' },
  snapshotBeforeChange: { keep: 1 },
  node: { schedulable: true },
  cluster: {
    insecureSkipTlsVerify: false,
    vmidRange: { from: 10_000, to: 99_999 },
    networkMap: { default: 'vmbr0', lan: 'vmbr0', dmz: 'vmbr1', management: 'vmbr2', mgmt: 'vmbr2' },
    limits: { clonesPerTemplate: 4, tasksPerNode: 8, requests: 8 },
    taskTimeout: '5m',
    pollFloor: '50ms',
    pollCeiling: '2s',
  },
} as const;
