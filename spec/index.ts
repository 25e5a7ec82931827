/**
 * What is wanted, and what comes back: schemas and their types, and nothing else.
 *
 * Both sides of the contract import this room: the constructs write a spec, the reconciler reads it.
 * It does not know Terraform, HTTP, Proxmox's API, or who calls it.
 *
 * An optional field is set, or absent and then not managed; null is absent. A value that is not known yet stands
 * as `{"$unknown": "<expression>"}`. Parsing gives each value its one spelling (sizes in bytes, MAC addresses and
 * addresses in one form, sets sorted), keeps what was said and adds nothing: no default is ever written in.
 */
export { isUnknown, unknownPaths, withoutNulls, type Unknown } from './absent';
export { canonical } from './canonical';
export { CLEARABLE } from './checks/clear';
export { BURST_LENGTHS, LIMIT_BURSTS, LIMIT_HALVES } from './checks/disk-limits';
export { diskType } from './checks/disks';
export { CLOUD_INIT_LIMIT } from './checks/guest';
export { hardwareProblems } from './checks/hardware';
export { DESCRIPTION_LIMIT, MARK_LIMIT } from './checks/identity';
export { pluggable } from './checks/processors';
export { staticAddresses, type StaticAddress } from './checks/networks';
export { closest } from './closest';
export { CloudInitSpec } from './cloud-init';
export { ClusterSpec } from './cluster';
export { CpuSpec } from './cpu';
export { ALWAYS, BIRTH } from './defaults';
export { DesiredState, SPEC_VERSION } from './desired-state';
export { DISK_TYPES, DiskSpec, LAST_SLOT, type DiskType } from './disk';
export { durationOf, formatDuration, milliseconds } from './duration';
export { OS_TYPES } from './firmware';
export { FleetMachine, FleetSpec, fleetMachine, parseFleet } from './fleet';
export { IMAGE_SOURCES, ImageSpec } from './image';
export { formatAddress, isInSubnet, parseAddress, parseCidr, type Cidr, type IpAddress } from './ip-address';
export { jsonSchemas } from './json-schema';
export { MachineSpec } from './machine';
export { MachineClass } from './machine-class';
export { MachineSettings, REBUILD_FIELDS } from './machine-settings';
export { NetworkSpec } from './network';
export { bridgeOf, networkMapOf } from './network-map';
export { NodeSpec } from './node';
export { ClusterStatus, Condition, CONDITION_REASONS, MachineOutputs, NodeStatus, Outputs } from './outputs';
export type { Parsed } from './parse';
export {
  parseCluster,
  parseDesiredState,
  parseMachine,
  parseMachineClass,
  parseNode,
  parsePlacementPolicy,
  parsePreparedImage,
  parseSnapshot,
} from './parse-documents';
export { PlacementSpec } from './placement';
export { PlacementPolicy } from './placement-policy';
export { PreparedImage } from './prepared-image';
export { formatProblems, type Problem } from './problem';
export {
  ApplyEnvironment,
  DestroyEnvironment,
  Difference,
  EFFECTS,
  EVERY_OWNER,
  FactsQuery,
  FactsResult,
  HeldGuest,
  HeldGuests,
  Observation,
  ObserveQuery,
  ObserveResult,
  PlanToken,
  PROTOCOL_VERSION,
} from './protocol';
export { pveKey } from './pve-key';
export { DRIVE_OPTIONS, PVE_KEYS, type PveKey } from './pve-keys';
export { Reference } from './reference';
export { resolveMachine } from './resolve-machine';
export { showValue } from './show-value';
export { formatSize, GiB, MiB, parseSize } from './size';
export { SnapshotSpec } from './snapshot';
export { WaitForSpec } from './wait-for';
export { flatObservations, machinesOf, parseWords, protocolMismatch } from './wire';
