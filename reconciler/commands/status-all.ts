import { InputError } from '../errors';
import { desiredStates } from '../input/desired-states';
import type { Options, Surroundings } from '../input/surroundings';
import { askedLease, refuseOther } from '../lease/lease-of';
import type { ToldCluster, ToldHost, ToldLease } from '../lease/watched-clusters';
import { quoted } from '../postgres/failures';
import { EXIT } from '../report/exit-code';
import type { Form } from '../report/forms';
import { table } from '../report/status-table';
import { visibleTexts } from '../report/visible';
import { yaml } from '../report/yaml';
import { watch } from './day2/watch';

/** A cluster with the number of its machines that are wanted. */
type Row = ToldCluster & { machines: number };

/** Tells which host of a lease keeps which cluster of the desired state. Asks no cluster, and changes nothing. */
export async function statusOfAll(given: Surroundings, options: Options, form: Form): Promise<number> {
  const { where, name } = placeOf(options);
  const { states, around } = await desiredStates(options, given);
  const machines = new Map<string, number>();
  for (const { cluster, machines: own } of states)
    machines.set(cluster.name, (machines.get(cluster.name) ?? 0) + own.length);
  const { watchClusters } = await import('../lease/watched-clusters.js');
  const look = async (to: Surroundings): Promise<number> => {
    const told = await watchClusters(where, name, [...machines.keys()]);
    const rows = told.clusters.map(cluster => ({ ...cluster, machines: machines.get(cluster.name) ?? 0 }));
    to.out(`${textOf(told, rows, form)}\n`);
    for (const line of warnings(told, rows, form)) to.reporter.say('warn', line);
    return EXIT.done;
  };
  return options.watch ? watch(around, look) : look(around);
}

function placeOf(options: Options): { where: string; name: string } {
  const asked = askedLease(options);
  if (asked === undefined)
    throw new InputError(
      'status --all needs the lease that the hosts share: --lease postgres://pve@db.example.com/pve.',
    );
  if (asked.where === 'kubernetes')
    throw new InputError(
      `status --all asks PostgreSQL. With a lease of Kubernetes one host has all clusters: kubectl get lease ${asked.name} names it.`,
    );
  refuseOther(asked.where);
  return asked;
}

function textOf(told: ToldLease, clusters: readonly Row[], form: Form): string {
  if (form === 'name') return clusters.map(({ name }) => name).join('\n');
  if (form === 'json' || form === 'yaml') {
    const whole = visibleTexts({ time: new Date().toISOString(), ...told, clusters });
    return form === 'json' ? JSON.stringify(whole, undefined, 2) : yaml(whole);
  }
  return `${clusterTable(clusters, form === 'wide')}\n\n${hostTable(told.hosts)}`;
}

function clusterTable(clusters: readonly Row[], isWide: boolean): string {
  const rows = clusters.map(({ name, machines, isLate, keptBy, hostSince, lastHeard, reason }) => [
    ...[name, String(machines), isLate ? 'late' : 'kept', keptBy ?? '-', shortTime(hostSince)],
    ...[shortTime(lastHeard), ...(isWide ? [reason ?? '-'] : [])],
  ]);
  const head = ['CLUSTER', 'MACHINES', 'STANDS', 'KEPT BY', 'HOST SINCE', 'LAST HEARD'];
  return table([...head, ...(isWide ? ['REASON'] : [])], rows);
}

function hostTable(hosts: readonly ToldHost[]): string {
  const rows = hosts.map(({ host, isLate, since, lastHeard, keeps, names }) => [
    host,
    isLate ? 'late' : 'lives',
    shortTime(since),
    shortTime(lastHeard),
    String(keeps),
    String(names),
  ]);
  return table(['HOST', 'STANDS', 'SINCE', 'LAST HEARD', 'KEEPS', 'NAMES'], rows);
}

function shortTime(time: string | undefined): string {
  return time?.replace(/\.\d+Z$/, 'Z') ?? '-';
}

/** What a table has no room for. The wide one has the reasons. */
function warnings({ lease, hosts, blindUser }: ToldLease, clusters: readonly Row[], form: Form): string[] {
  if (form !== 'table' && form !== 'wide') return [];
  if (hosts.length === 0)
    return [
      `${lease}: no host has it, and no cluster is kept. Look whether the daemons run, and with this --lease and --lease-name.`,
    ];
  const late = clusters.flatMap(({ name, reason }) =>
    reason === undefined || form === 'wide' ? [] : [`cluster ${name}: ${reason}.`],
  );
  if (blindUser === undefined) return late;
  return [
    ...late,
    `${lease}: this user may not see when a host renewed last, so a host that hangs does not look late. Its administrator allows it with: GRANT pg_read_all_stats TO ${quoted(blindUser)};`,
  ];
}
