import { version } from '../../package.json';
import type { ClusterLoops } from './cluster-loops';
import type { MachineRecord } from './machine-record';
import type { Numbers } from './metrics';
import type { DesiredSource } from './sources/desired-source';
import type { WorkLimit } from './work-limit';

/** All that the daemon knows, to be reported. Asks nobody. */
export class DaemonView implements Numbers {
  constructor(
    private readonly loops: () => ClusterLoops,
    private readonly sources: DesiredSource,
    private readonly workLimit: WorkLimit,
  ) {}

  machines = (): { phase: string; node: string; count: number }[] => {
    const counts = new Map<string, { phase: string; node: string; count: number }>();
    for (const [, { outputs }] of this.records()) {
      const { phase, node = '' } = outputs;
      const { count } = counts.get(`${phase} ${node}`) ?? { count: 0 };
      counts.set(`${phase} ${node}`, { phase, node, count: count + 1 });
    }
    return [...counts.values()];
  };

  pendingRestarts = (): number => this.records().filter(([, { outputs }]) => outputs.restartRequired).length;

  queue = (): number => this.workLimit.waiting;

  sourcesAreGood = (): boolean => this.sources.fault === undefined;

  clusters = () =>
    this.loops().all.map(({ name, reason, status, orphans }) => ({
      cluster: name,
      isConnected: reason === undefined,
      nodes: reason === undefined ? (status?.nodes ?? []).filter(({ online }) => online).length : 0,
      orphans: orphans.length,
    }));

  /** Of each cluster, where several hosts share them: whether this one works there. Else of all as one, without a name. */
  atWork = () => {
    const { all, elsewhere, isShared } = this.loops();
    if (!isShared) return [{ cluster: '', isAtWork: true }];
    const ours = all.map(({ name }) => ({ cluster: name, isAtWork: true }));
    return [...ours, ...elsewhere.map(({ name }) => ({ cluster: name, isAtWork: false }))];
  };

  /** A line for each cluster that this host does not keep. */
  standsBy = (): string[] =>
    this.loops().elsewhere.map(other =>
      'keptBy' in other
        ? `cluster ${other.name}: ${other.keptBy} keeps it, since ${other.since}`
        : `cluster ${other.name}: this host does not keep it: ${other.reason}`,
    );

  /** Why it is not ready; undefined: it is. */
  notReady = (): string | undefined => {
    const { all, elsewhere } = this.loops();
    if (all.length + elsewhere.length === 0 && this.sources.isAway) return this.sources.fault;
    const lost = all.flatMap(({ name, reason }) =>
      reason === undefined ? [] : [`cluster ${name}: ${reason}`],
    );
    return lost.length === 0 ? undefined : lost.join('\n');
  };

  /** How all stands, as plain data. */
  told = (): object => ({
    time: new Date().toISOString(),
    version,
    fault: this.sources.fault,
    clusters: [
      ...this.loops().all.map(({ name, reason, status, orphans }) => ({ name, reason, ...status, orphans })),
      ...this.loops().elsewhere.map(other => ({ ...other, orphans: [] })),
    ],
    machines: this.records().map(([cluster, record]) => record.told(cluster)),
  });

  /** The machines of this id: of several owners or clusters there may be several. */
  named = (id: string): object[] =>
    this.records().flatMap(([cluster, record]) => (record.spec.id === id ? [record.told(cluster)] : []));

  private records(): [cluster: string, record: MachineRecord][] {
    return this.loops().all.flatMap(({ name, records }) =>
      [...records.byKey.values()].map((record): [string, MachineRecord] => [name, record]),
    );
  }
}
