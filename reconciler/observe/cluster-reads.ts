import {
  listActiveTasks,
  listClusterTasks,
  listResources,
  readClusterStatus,
  readConfig,
  readDatacenterOptions,
  readPermissions,
  readVersion,
  type ActiveTask,
  type ClusterResources,
  type ClusterStatus,
  type ClusterTask,
  type DatacenterOptions,
  type GuestAddress,
  type GuestConfig,
  type Pve,
} from '../pve';
import { ifAllowed, ifThere } from './if-allowed';
import { SharedReading } from './shared-reading';

/** How far the readings are apart that many runs share: see `soon` of `SharedReading`. */
export interface Apart {
  listingMs: number;
  quorumMs: number;
}

/** What the runs of one process read of a cluster, besides its guests. Nothing is read before it is asked for. */
export class ClusterReads {
  readonly resources: SharedReading<ClusterResources>;
  readonly status: SharedReading<ClusterStatus | undefined>;
  readonly options: SharedReading<DatacenterOptions | undefined>;
  readonly permissions: SharedReading<Record<string, Record<string, number>> | undefined>;
  readonly version: SharedReading<{ version: string }>;
  /** Says where to look: see `listClusterTasks`. */
  readonly tasks: SharedReading<ClusterTask[]>;
  private readonly configs = new Map<string, SharedReading<GuestConfig>>();
  private readonly tasksOfNodes = new Map<string, SharedReading<ActiveTask[]>>();

  constructor(
    private readonly pve: Pve,
    { listingMs, quorumMs }: Apart = { listingMs: 0, quorumMs: 0 },
  ) {
    this.resources = new SharedReading(() => listResources(pve), { apartMs: listingMs });
    this.status = new SharedReading(() => ifAllowed(readClusterStatus(pve)), { apartMs: quorumMs });
    this.options = new SharedReading(() => ifAllowed(readDatacenterOptions(pve)));
    this.permissions = new SharedReading(() => ifThere(readPermissions(pve)));
    this.tasks = new SharedReading(() => listClusterTasks(pve));
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
    const tasks = this.tasksOfNodes.get(node) ?? new SharedReading(() => listActiveTasks(this.pve, node));
    this.tasksOfNodes.set(node, tasks);
    return tasks;
  }
}
