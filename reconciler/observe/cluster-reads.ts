import type {
  ActiveTask,
  ClusterResources,
  ClusterStatus,
  DatacenterOptions,
  GuestAddress,
  GuestConfig,
  Pve,
} from '../pve';
import {
  listActiveTasks,
  listResources,
  readClusterStatus,
  readConfig,
  readDatacenterOptions,
  readPermissions,
  readVersion,
} from '../pve';
import { ifAllowed, ifThere } from './if-allowed';
import { SharedReading } from './shared-reading';

/** What the runs of one process read of a cluster, besides its guests. Nothing is read before it is asked for. */
export class ClusterReads {
  readonly resources: SharedReading<ClusterResources>;
  readonly status: SharedReading<ClusterStatus | undefined>;
  readonly options: SharedReading<DatacenterOptions | undefined>;
  readonly permissions: SharedReading<Record<string, Record<string, number>> | undefined>;
  readonly version: SharedReading<{ version: string }>;
  private readonly configs = new Map<string, SharedReading<GuestConfig>>();
  private readonly tasks = new Map<string, SharedReading<ActiveTask[]>>();

  constructor(private readonly pve: Pve) {
    this.resources = new SharedReading(() => listResources(pve));
    this.status = new SharedReading(() => ifAllowed(readClusterStatus(pve)));
    this.options = new SharedReading(() => ifAllowed(readDatacenterOptions(pve)));
    this.permissions = new SharedReading(() => ifThere(readPermissions(pve)));
    this.version = new SharedReading(() => readVersion(pve));
  }

  /** The configuration of what is cloned, which many machines are made from at once. */
  configOf(source: GuestAddress): SharedReading<GuestConfig> {
    const place = `${source.node}/${source.vmid}`;
    const config = this.configs.get(place) ?? new SharedReading(() => readConfig(this.pve, source));
    this.configs.set(place, config);
    return config;
  }

  /** The tasks that run on a node. */
  tasksOn(node: string): SharedReading<ActiveTask[]> {
    const tasks = this.tasks.get(node) ?? new SharedReading(() => listActiveTasks(this.pve, node));
    this.tasks.set(node, tasks);
    return tasks;
  }
}
