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
export { isUnknown, unknownPaths, withoutNulls, type Unknown } from './reading/unknown';
export { canonical } from './reading/canonical';
export { BURST_LENGTHS, LIMIT_BURSTS, LIMIT_HALVES } from './checks/disk-limits';
export { diskType } from './checks/disks';
export {
  CLOUD_INIT_LIMIT,
  cloudInitDataFindings,
  hasOwnData,
  userDataKind,
  type CloudInitTexts,
} from './checks/cloud-init-data';
export { hardwareProblems } from './checks/hardware';
export { DESCRIPTION_LIMIT, MARK_LIMIT } from './checks/identity';
export { pluggable } from './checks/processors';
export { areTied, isMatch, type Compared } from './checks/neighbours';
export { staticAddresses, type StaticAddress } from './checks/networks';
export { closest } from './reading/closest';
export { CLOUD_INIT_DATA, CloudInitSpec } from './machine/cloud-init';
export { ClusterSpec } from './cluster/cluster';
export { CpuSpec } from './machine/cpu';
export { ALWAYS, AT_CREATE } from './fields/defaults';
export { DesiredState, SPEC_VERSION } from './documents/desired-state';
export { DISK_TYPES, DiskSpec, LAST_SLOT, type DiskType } from './machine/disk';
export { durationOf, formatDuration, milliseconds } from './values/duration';
export { OS_TYPES } from './machine/firmware';
export { ExistingSpec } from './cluster/existing';
export { FleetMachine, FleetSpec, fleetMachine, knownFleetMachine, parseFleet } from './documents/fleet';
export { IMAGE_SOURCES, ImageSpec, isImported, sourceIds } from './machine/image';
export {
  formatAddress,
  isInSubnet,
  parseAddress,
  parseCidr,
  type Cidr,
  type IpAddress,
} from './values/ip-address';
export { jsonSchemas } from './documents/json-schema';
export { MachineSpec } from './machine/machine';
export { MachineClass } from './machine/class';
export { MachineSettings, REBUILD_FIELDS } from './machine/settings';
export { NetworkSpec } from './machine/network';
export { bridgeOf, networkMapOf } from './cluster/network-map';
export { NodeSpec } from './cluster/node';
export {
  ClusterStatus,
  Condition,
  CONDITION_REASONS,
  ExistingOutputs,
  MachineOutputs,
  NodeStatus,
  Outputs,
} from './documents/outputs';
export type { Parsed } from './reading/parse';
export {
  parseCluster,
  parseDesiredState,
  parseExisting,
  parseMachine,
  parseMachineClass,
  parseNode,
  parsePlacementPolicy,
  parsePreparedImage,
  parseSnapshot,
} from './documents/parse';
export { PlacementSpec, type NeighbourRule } from './machine/placement';
export { PlacementPolicy } from './cluster/placement-policy';
export { Losses, type LostSnapshot, type LostVolume, type SnapshotStep } from './documents/losses';
export { imageOf, templatesOf } from './documents/image-to-template';
export { PreparedImage } from './cluster/prepared-image';
export { formatPath, isRecord, valueAt, type Path } from './reading/path';
export { formatProblems, type Finding, type Problem } from './reading/problem';
export {
  ApplyEnvironment,
  DestroyEnvironment,
  Difference,
  EFFECTS,
  EVERY_OWNER,
  ExistingResult,
  FactsQuery,
  FactsResult,
  HeldGuest,
  HeldGuests,
  Observation,
  ObserveQuery,
  ObserveResult,
  PlanToken,
  PROTOCOL_VERSION,
  SnapshotEnvironment,
} from './documents/protocol';
export { pveKey } from './values/pve-key';
export { DRIVE_OPTIONS, PVE_KEYS, type PveKey } from './values/pve-keys';
export { Reference } from './values/reference';
export { resolveMachine } from './machine/resolve';
export { yamlSays } from './reading/yaml-fault';
export { showValue } from './reading/show-value';
export { byNumber } from './values/by-number';
export { formatSize, GiB, inOneUnit, MiB, parseSize } from './values/size';
export { SnapshotSpec } from './machine/snapshot';
export { WaitForSpec } from './machine/wait-for';
export {
  flatObservations,
  machinesOf,
  parseWords,
  protocolMismatch,
  readsAddress,
  snapshotsOf,
  type QueriedMachine,
} from './documents/wire';
