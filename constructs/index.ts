/**
 * CDKTF constructs that write a spec at synth.
 *
 * This room knows cdktf and the spec. It does not know Proxmox's API; the reconciler is to it a file that
 * travels with the stack and a command line to call.
 */
export type { AgentProps, BootProps, StartupProps } from './boot-props';
export type { CloudInitProps, DnsProps } from './cloud-init-props';
export type { CpuProps } from './cpu-props';
export { Credentials } from './credentials';
export type {
  AudioProps,
  DisplayProps,
  PciProps,
  RngProps,
  UsbProps,
  VirtiofsProps,
  WatchdogProps,
} from './device-props';
export type { DevicesProps } from './devices-props';
export type { DiskLimitsProps } from './disk-limits-props';
export type { DiskProps } from './disk-props';
export { SpecError } from './errors';
export type {
  ChipsetProps,
  EfiDiskProps,
  FirmwareProps,
  HotplugKind,
  OsType,
  TpmProps,
} from './firmware-props';
export { Image, type CloneKind, type CloneOptions } from './image';
export type { Keyboard } from './keyboard';
export { Machine } from './machine';
export { MachineClass } from './machine-class';
export type { ClassStorageProps, MachineClassProps } from './machine-class-props';
export type { MachineProps } from './machine-props';
export type { MachineSettingsProps, RebuildField } from './machine-settings-props';
export type { MemoryProps } from './memory-props';
export type { AddressProps, NetworkProps, StaticIpProps } from './network-props';
export type { AntiAffinityProps, PlacementProps } from './placement-props';
export type { PowerProps, TimeoutsProps } from './power-props';
export { ProxmoxCluster } from './proxmox-cluster';
export type { LimitsProps, ProxmoxClusterProps, VmidRangeProps } from './proxmox-cluster-props';
export { ProxmoxNode } from './proxmox-node';
export type { ProxmoxNodeProps } from './proxmox-node-props';
export { Reference } from './reference';
export { RemovedCluster, type RemovedClusterProps } from './removed-cluster';
export { Size } from './size';
export type { SmbiosProps } from './smbios-props';
export type { AddressFilterProps, WaitForAddressProps } from './wait-for-props';
