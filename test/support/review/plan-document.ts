import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a real run of Terraform planned, as `terraform show -json` told it, without the parts that are not read. */
export function planFixture(name: string): string {
  return readFileSync(join(__dirname, '..', '..', 'reconciler', 'review', 'plans', `${name}.json`), 'utf8');
}

type Told = Record<string, string>;

/** A Snapshot construct in a plan: what happens to its entry and its revision, and what the observer says of it. */
export interface PlannedSnapshot {
  entry: string[];
  revision?: string[];
  does?: string;
  wanted?: object;
  applied?: object;
}

export interface PlanOptions {
  /** What happens to every registry entry, and why. */
  actions?: string[];
  reason?: string;
  /** What happens to the entries of these instead. */
  entries?: Readonly<Record<string, string[]>>;
  /** Terraform leaves these out of what it plans, as with -target: the state alone holds them. */
  without?: string[];
  complete?: boolean;
  /** The entries are tainted in the state. */
  tainted?: boolean;
  protocol?: string;
  /** What the observer tells of the owner's guests. */
  held?: object;
  /** The observer answered before the plan, is asked only when it is applied, or is not in the plan. */
  observer?: 'done' | 'late' | 'none';
  /** What each machine was when it was last applied. */
  spec?: object;
  /** What the code has: a cluster, a RemovedCluster, or neither. */
  written?: 'cluster' | 'removed' | 'nothing';
  /** Snapshots of the program, by `<machine>.<name>`. */
  snapshots?: Readonly<Record<string, PlannedSnapshot>>;
}

const WRITTEN: Record<NonNullable<PlanOptions['written']>, string[]> = {
  cluster: ['null_resource.machines_lab', 'null_resource.snapshots_lab', 'data.external.observe_lab'],
  removed: ['data.external.observe_lab'],
  nothing: [],
};

/** A plan of these machines, with what the observer told of each. */
export function planOf(
  machines: Record<string, Told>,
  { actions = ['no-op'], reason, entries: apart = {}, tainted, held, spec = {}, ...more }: PlanOptions = {},
): string {
  const { protocol = '1', written = 'cluster', snapshots = {}, observer: looks = 'done' } = more;
  const { without = [], complete } = more;
  const ids = Object.keys(machines);
  const triggers = { owner: 'o', machine: 'm' };
  const labels = ids.map(index => ({
    address: `null_resource.machines_lab["${index}"]`,
    mode: 'managed',
    type: 'null_resource',
    name: 'machines_lab',
    index,
  }));
  const values = labels.map(({ index }) => ({ id: `entry-${index}`, triggers }));
  const entries = labels.map((label, at) => {
    const own = apart[label.index] ?? actions;
    const isNew = own.join() === 'create';
    const change = { actions: own, before: isNew ? null : values[at], after: { triggers } };
    return { ...label, action_reason: reason, change };
  });
  const before = { triggers: { token: 't', spec: JSON.stringify(spec) } };
  const revisions = ids.map(id => ({
    address: `null_resource.machine_lab_${id}`,
    mode: 'managed',
    type: 'null_resource',
    name: `machine_lab_${id}`,
    change: { actions: ['delete', 'create'], before, after: null },
  }));
  const result = Object.entries(machines).flatMap(([id, told]) =>
    Object.entries({ ...AT_REST, ...told }).map(([field, value]) => [`${id}.${field}`, value]),
  );
  const wanted = Object.entries(snapshots).flatMap(([key, one]) =>
    one.wanted ? [[`snapshot.${key}`, JSON.stringify(one.wanted)] as const] : [],
  );
  const owner = written === 'removed' ? '*' : 'o';
  const query = { protocol, owner, cluster: '{"name":"lab"}', ...Object.fromEntries(wanted) };
  const observer = {
    address: 'data.external.observe_lab',
    mode: 'data',
    type: 'external',
    name: 'observe_lab',
    values: {
      query,
      result: {
        ...(Object.fromEntries(result) as Told),
        ...Object.fromEntries(
          Object.entries(snapshots).map(([key, { does = '' }]) => [`snapshot.${key}.does`, does]),
        ),
        ...(held && { guests: JSON.stringify(held) }),
      },
    },
  };
  const standing = labels.map((label, at) => ({ ...label, values: values[at], tainted }));
  const { values: _, ...label } = observer;
  const late = { ...label, change: { actions: ['read'], before: null, after: { query } } };
  const planned = [...entries, ...revisions].filter(
    ({ address }) => !without.some(id => address.endsWith(`["${id}"]`) || address.endsWith(`_${id}`)),
  );
  return JSON.stringify({
    format_version: '1.2',
    complete,
    resource_changes: [
      ...(looks === 'late' ? [late] : []),
      ...[...planned, ...Object.entries(snapshots).flatMap(changesOf)],
    ],
    prior_state: {
      values: { root_module: { resources: [...(looks === 'done' ? [observer] : []), ...standing] } },
    },
    configuration: { root_module: { resources: WRITTEN[written].map(address => ({ address })) } },
  });
}

function changesOf([key, { entry, revision, applied = {} }]: [string, PlannedSnapshot]): object[] {
  const triggers = { owner: 'o', snapshot: key };
  const label = { mode: 'managed', type: 'null_resource' };
  const before = { triggers: { token: 't', spec: JSON.stringify(applied) } };
  const registry = { ...label, name: 'snapshots_lab', index: key };
  const change = { actions: entry, before: entry[0] === 'create' ? null : { triggers }, after: { triggers } };
  const named = { ...label, name: `snapshot_lab_${key.replace('.', '_')}` };
  return [
    { ...registry, address: `null_resource.snapshots_lab["${key}"]`, change },
    {
      ...{ ...named, address: `null_resource.${named.name}` },
      change: { actions: revision ?? entry, before, after: null },
    },
  ];
}

const AT_REST = {
  status: 'in-sync',
  token: 't',
  diff: '',
  refusal: '',
  effect: 'none',
  node: 'pve1',
  vmid: '100',
};

/** What an observer tells of a machine that differs in these fields. */
export function differs(effect: string, changes: object[], more: object = {}): Told {
  return { status: 'different', effect, diff: JSON.stringify({ does: ['writing'], changes, ...more }) };
}
