import { bridgeOf, type DesiredState } from '../../../spec';
import { clusterFindings } from '../../doctor/cluster-checks';
import { readFacts } from '../../doctor/read-facts';
import { fault } from '../../doctor/finding';
import { guestFindings } from '../../doctor/guest-checks';
import { placeFindings, type Named } from '../../doctor/place-checks';
import { later, wayFindings, wayOf } from '../../doctor/connection-checks';
import { workerFindings } from '../../doctor/worker-folder';
import type { ClusterAccess } from '../../config/cluster-access';
import { isPlainHttp } from '../../config/plain-http';
import { InputError } from '../../errors';
import type { Desired } from '../../input/desired-states';
import { sourcedStates } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import type { SourcedState } from '../../run/wanted';
import { roleNamed } from '../../privileges/one-role';
import { PveError } from '../../pve';
import { doctorJson, doctorText, type ClusterFindings } from '../../doctor/doctor-text';
import { EXIT } from '../../report/exit-code';
import type { Run } from '../../run/run';
import { clusterNamed, emptyState } from '../named-cluster';
import { namesDesired } from '../verb';
import { tellWaits, withRun } from '../with-run';
import { eachState, statesThere } from '../each-state';
import { machineNeeds } from '../machine-needs';
import { machineFindings } from './machine-findings';

/** Looks at the way to each cluster and at the cluster itself, and names what is wrong, each with what to do. Only reads. */
export async function doctor(given: Surroundings, options: Options): Promise<number> {
  roleNamed(options.role);
  const { states, around } = await statesFor(options, given);
  const worker = await workerFindings(given.environment);
  const told = await withConfiguration(() =>
    eachState<ClusterFindings>(states, around, async (state, access, ways) => [
      {
        cluster: state.cluster.name,
        isPlainHttp: isPlainHttp(access.pve.endpoints),
        ...(await examine(
          { state, there: statesThere(states, ways, state.owner, access) },
          access,
          around,
          options,
        )),
      },
    ]),
  );
  around.signal.throwIfAborted();
  const all = [{ cluster: '', findings: worker, reached: 'configuration' as const }, ...told];
  around.out(`${options.json ? JSON.stringify(doctorJson(all)) : doctorText(all)}\n`);
  const faults = all.flatMap(({ findings }) => findings).filter(({ level }) => level === 'fault');
  if (faults.some(({ check }) => check === 'configuration')) return EXIT.input;
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}

/** Without a desired state the cluster of the environment is looked at, for nobody. */
async function statesFor(options: Options, around: Surroundings): Promise<Desired> {
  if (!namesDesired(options))
    return { states: [emptyState('doctor', clusterNamed(options, around))], around, places: new Map() };
  if (options.cluster !== undefined)
    throw new InputError(
      '--cluster is for a look without a desired state, which names its cluster: remove it.',
    );
  return sourcedStates(options, around);
}

/** What is wrong with the environment is a finding too: each line of it. */
async function withConfiguration(work: () => Promise<ClusterFindings[]>): Promise<ClusterFindings[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const findings = error.message
      .split('\n')
      .map(says => fault('configuration', says, 'Nothing was sent: mend it and run again.'));
    return [{ cluster: '', findings, reached: 'configuration' }];
  }
}

/** A desired state, and all of its owner's on its cluster: what another one wants is no orphan. */
interface Asked {
  state: SourcedState;
  there: readonly SourcedState[];
}

async function examine(
  { state, there }: Asked,
  access: ClusterAccess,
  around: Surroundings,
  options: Options,
): Promise<Pick<ClusterFindings, 'findings' | 'reached'>> {
  const way = await wayFindings(access.pve, pve => void tellWaits(pve, around));
  const unreached = way.findings.filter(({ level }) => level === 'fault').length;
  if (unreached === access.pve.endpoints.length) return way;
  try {
    const findings = await withRun(access, around, state, async run => {
      const facts = await readFacts(run.pve);
      const needs = await needsOf(run, state, around, options);
      return [
        ...clusterFindings(facts, run.shared.vmidRange, { needs, role: options.role }),
        ...placeFindings(facts, namedIn(state), needs),
        ...guestFindings(facts),
        ...(await machineFindings(run, { state, there }, around, options)),
      ];
    });
    // what a desired state says is compared with nothing where there is none
    return { findings: [...way.findings, ...findings], reached: namesDesired(options) ? 'all' : 'locks' };
  } catch (error) {
    if (!(error instanceof PveError)) throw error;
    const failed = wayOf(error);
    return {
      findings: [...way.findings, ...failed.findings],
      reached: later(way.reached, failed.reached),
    };
  }
}

/** What machines ask for that are made and changed; undefined: there are none. What keeps one from being made is told by its plan. */
async function needsOf(run: Run, state: DesiredState, around: Surroundings, options: Options) {
  const machines = state.machines.filter(({ mode }) => mode === undefined || mode === 'reconcile');
  if (!namesDesired(options) || machines.length === 0) return undefined;
  return machineNeeds(run, { ...state, machines }, around, () => run.signal.throwIfAborted());
}

function namedIn({ cluster, nodes = [], machines }: DesiredState): Named {
  const disks = machines.flatMap(({ disks: all = [] }) => all);
  return {
    nodes: [
      ...(cluster.nodes ?? []),
      ...nodes.map(({ nodeName }) => nodeName),
      ...machines.flatMap(({ node }) => node ?? []),
    ],
    storages: [...(cluster.storages ?? []), ...disks.flatMap(({ storage }) => storage ?? [])],
    bridges: [
      ...(cluster.networks ?? []),
      ...machines.flatMap(({ networks = [] }) =>
        networks.flatMap(network => bridgeOf(network, cluster) ?? []),
      ),
    ],
  };
}
