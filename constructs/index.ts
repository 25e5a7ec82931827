/**
 * CDKTF constructs that write a spec at synth.
 *
 * This room knows cdktf and the spec. It does not know Proxmox's API; the reconciler is to it a file that
 * travels with the stack and a command line to call.
 */
export type { AgentProps, BootProps, StartupProps } from './props/boot';
export type { CloudInitProps, DnsProps } from './props/cloud-init';
export type { CpuProps } from './props/cpu';
export { Credentials } from './values/credentials';
export type {
  AudioProps,
  DisplayProps,
  PciProps,
  RngProps,
  UsbProps,
  VirtiofsProps,
  WatchdogProps,
} from './props/device-kinds';
export type { DevicesProps } from './props/devices';
export type { DiskLimitsProps } from './props/disk-limits';
export type { DiskProps } from './props/disk';
export { SpecError } from './values/spec-error';
export { ExistingMachine } from './existing-machine';
export type { ExistingMachineProps, ExistingMachinesProps } from './existing-machine-props';
export { ExistingMachines } from './existing-machines';
export type {
  ChipsetProps,
  EfiDiskProps,
  FirmwareProps,
  HotplugKind,
  OsType,
  TpmProps,
} from './props/firmware';
export {
  Image,
  type CloneKind,
  type CloneOptions,
  type MachineCloneOptions,
  type FileOptions,
  type UrlOptions,
} from './values/image';
export type { Keyboard } from './props/keyboard';
export { Machine } from './machine';
export { MachineClass } from './machine-class';
export type { ClassStorageProps, MachineClassProps } from './machine-class-props';
export type { MachineProps } from './machine-props';
export type { MachineSettingsProps, RebuildField } from './props/machine-settings';
export type { MemoryProps } from './props/memory';
export type { AddressProps, NetworkProps, StaticIpProps } from './props/network';
export type { HaProps } from './props/ha';
export type { AffinityProps, AntiAffinityProps, PlacementProps } from './props/placement';
export { PlacementPolicy, type PlacementPolicyProps } from './placement-policy';
export { PreparedImage } from './prepared-image';
export type { PreparedImageProps } from './prepared-image-props';
export type { PowerProps, SnapshotBeforeChangeProps, TimeoutsProps } from './props/power';
export { ProxmoxCluster } from './proxmox-cluster';
export type { LimitsProps, ProxmoxClusterProps, VmidRangeProps } from './proxmox-cluster-props';
export { ProxmoxNode } from './proxmox-node';
export type { ProxmoxNodeProps } from './proxmox-node-props';
export { Reference } from './values/reference';
export { RemovedCluster, type RemovedClusterProps } from './removed-cluster';
export { Size } from './values/size';
export { Snapshot } from './snapshot';
export type { SnapshotProps } from './snapshot-props';
export type { SmbiosProps } from './props/smbios';
export type { AddressFilterProps, WaitForAddressProps } from './props/wait-for';
