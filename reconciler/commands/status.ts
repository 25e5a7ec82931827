import { closest, type DesiredState, type MachineOutputs, type Outputs } from '../../spec';
import { remedyText } from '../action';
import { InputError, type RefusedError } from '../errors';
import { knownWord } from '../input/known-word';
import { exitCodeOfAll } from '../report/exit-code';
import type { Run } from '../run/run';
import { keptImage } from '../mark/image-change';
import { absentOutputs, machineOutputs, unreadableOutputs, unreadOutputs } from '../outputs/machine';
import { clusterStatus } from '../outputs/cluster';
import { listResources } from '../pve';
import { FORMS, type Form } from '../report/forms';
import { isReady, messageOf, statusTable } from '../report/status-table';
import { oneLine } from '../report/visible';
import { yaml } from '../report/yaml';
import type { Wanted } from '../run/wanted';
import { MachineRun } from '../life/machine-run';
import { seeGuest } from '../outputs/read-guest';
import type { Desired } from '../input/desired-states';
import { sourcedStates } from '../input/sourced-states';
import { statusDocuments, type Subjects } from '../manifests';
import { eachMachine } from '../run/each-machine';
import { leftJson, tellOrphans, type Left } from './day2/tell-orphans';
import { watch } from './day2/watch';
import { existingStatus, existingTable } from './existing-status';
import { eachRun, wantedIn } from './each-state';
import type { Options, Surroundings } from '../input/surroundings';
import type { Identity } from '../mark/identity';
import { taggedAs } from '../observe/tagged-guests';
import { isDown } from '../observed';
import { failureText } from '../report/failure-text';

/** What is told of one desired state. */
interface StateReport {
  /** Whose machines they are, and where. */
  of: Pick<DesiredState, 'owner' | 'cluster'>;
  outputs: Outputs;
  subjects: Subjects | undefined;
  /** What left it and is still there. Undefined: one machine was asked for, and nobody looked. */
  left: Left | undefined;
}

/** Tells how machines stand: phase, conditions, place, addresses, what waits. Changes nothing. */
export async function status(given: Surroundings, options: Options, [only]: string[]): Promise<number> {
  const form = knownWord('--output', options.output ?? (options.json ? 'json' : 'table'), FORMS);
  if (asksForAll(options, only)) {
    const { statusOfAll } = await import('./status-all.js');
    return statusOfAll(given, options, form);
  }
  const desired = await sourcedStates(options, given);
  if (only !== undefined) refuseUnknown(only, desired.states);
  const look = (around: Surroundings): Promise<number> =>
    tellStates({ ...desired, around }, options, form, only);
  return options.watch ? watch(desired.around, look) : look(desired.around);
}

/** Whether it is about the hosts of a lease, and asks no cluster. */
function asksForAll({ all, lease, leaseName }: Options, only: string | undefined): boolean {
  if (all === true && only !== undefined)
    throw new InputError(`status: --all is about clusters: remove it, or the machine ${only}.`);
  if (all !== true && (lease ?? leaseName) !== undefined)
    throw new InputError(
      'status: --lease and --lease-name mean something with --all only: add it, or remove them.',
    );
  return all === true;
}

async function tellStates(
  { states, around, subjects }: Desired,
  options: Options,
  form: Form,
  only: string | undefined,
): Promise<number> {
  const errors: unknown[] = [];
  const refuse = (error: RefusedError): void => {
    errors.push(error);
    around.reporter.say('warn', failureText(error));
  };
  const all = await eachRun<StateReport>(states, around, async (run, state, there) => {
    const chosen = wantedIn(state, around).filter(({ spec }) => only === undefined || spec.id === only);
    const told = await eachMachine(
      chosen,
      async wanted => stamped(wanted, await outputsOf(run, wanted, around)),
      (wanted, error) => {
        run.signal.throwIfAborted();
        errors.push(error);
        return stamped(wanted, unreadMachine(error, run, wanted.identity));
      },
    );
    const left =
      only === undefined ? await tellOrphans(run, state, { there, all: states }, around, options) : undefined;
    const cluster = clusterStatus(run.cluster, await listResources(run.pve), { usage: true });
    const readOnly = only === undefined ? await existingStatus(run, state, refuse) : {};
    const outputs = {
      machines: Object.fromEntries(told),
      cluster: { ...cluster, lastHealthCheck: now() },
      ...readOnly,
    };
    return [{ of: state, outputs, subjects: subjects?.get(state.owner), left }];
  });
  around.signal.throwIfAborted();
  const text = textOf(all, form);
  if (text !== '') around.out(`${text}\n`);
  // the narrow table has no room for it
  if (form === 'table')
    all.flatMap(({ outputs }) => whyUnread(outputs)).forEach(line => around.reporter.say('warn', line));
  return exitCodeOfAll(errors);
}

function stamped({ spec: { id, mode } }: Wanted, outputs: MachineOutputs): [id: string, MachineOutputs] {
  return [id, { ...outputs, ...(mode === 'observe' && { mode }), lastUpdated: now() }];
}

async function outputsOf(run: Run, wanted: Wanted, { reporter }: Surroundings): Promise<MachineOutputs> {
  if (wanted.spec.mode === 'paused') return unreadOutputs();
  const { reader, planner } = new MachineRun(run, wanted);
  const have = await reader.observe();
  if (have.kind === 'refused') return absentOutputs(`${have.detail} ${remedyText(have)}`);
  if (have.kind === 'absent') return absentOutputs();
  const { waiting, waitsFor, refusals } = await planner.planOnAll(have);
  // no run of this desired state mends it: it says what does
  const told = refusals.filter(({ why }) => why === 'other-entry' || why === 'disk-gone');
  told.forEach(each =>
    reporter.say('warn', `${wanted.spec.id}: refused: ${each.detail} ${remedyText(each)}`),
  );
  const stays = keptImage(wanted.spec, have.guest.mark);
  if (stays !== undefined) reporter.say('info', `${wanted.spec.id}: ${stays}`);
  return machineOutputs({ ...(await seeGuest(run.pve, have.guest)), waiting, waitsFor, keptImage: stays });
}

/** The outputs of a machine that could not be read: where the cluster lists it all the same, and why it cannot be. */
function unreadMachine(error: unknown, { cluster }: Run, identity: Identity): MachineOutputs {
  const [listed, another] = taggedAs(cluster.guests, identity);
  if (listed === undefined || another !== undefined) return absentOutputs(failureText(error));
  const { vmid, node } = listed;
  const why = isDown(cluster, node)
    ? `VM ${vmid} is on node ${node}, which is down: nothing of it can be read until the node is back. Reading again is safe.`
    : failureText(error);
  return unreadableOutputs(listed, why);
}

function whyUnread({ machines }: Outputs): string[] {
  return Object.entries(machines)
    .filter(
      ([, outputs]) => outputs.phase === 'Error' || (outputs.powerState === 'paused' && !isReady(outputs)),
    )
    .map(([id, outputs]) => `${id}: ${messageOf(outputs)}`);
}

function textOf(all: readonly StateReport[], form: Form): string {
  const outputs = all.map(told => told.outputs);
  if (form === 'json') return all.map(told => JSON.stringify(wholeOf(told), undefined, 2)).join('\n');
  if (form === 'name') return outputs.flatMap(({ machines }) => Object.keys(machines)).join('\n');
  if (form !== 'yaml')
    return all.map(told => titledBy(told, all, tablesOf(told.outputs, form === 'wide'))).join('\n');
  const documents = all.flatMap(told =>
    // what manifests want is reported in their own shape
    told.subjects === undefined ? [wholeOf(told)] : statusDocuments(told.outputs, told.subjects),
  );
  return documents.map(each => yaml(each)).join('\n---\n');
}

/** The tables of one desired state, below the name of its cluster where there are several, and of its owner where that is not enough. */
function titledBy({ of }: StateReport, all: readonly StateReport[], tables: string): string {
  if (all.length === 1) return tables;
  const isAlone = all.filter(other => other.of.cluster.name === of.cluster.name).length === 1;
  const title = `cluster ${of.cluster.name}${isAlone ? '' : `, owner ${of.owner}`}:`;
  return `${all[0]?.of === of ? '' : '\n'}${oneLine(title)}\n${tables}`;
}

/** How machines stand, and below them the guests that are only read. */
function tablesOf({ machines, existing }: Outputs, isWide: boolean): string {
  const standing = statusTable(machines, isWide);
  return existing === undefined ? standing : `${standing}\n\n${existingTable(existing)}`;
}

/** The outputs, and beside them what the text form warns of: nothing where nothing is left. */
function wholeOf({ outputs, left }: StateReport): object {
  return { ...outputs, ...leftJson(left === undefined ? [] : [left]) };
}

function refuseUnknown(only: string, states: readonly DesiredState[]): void {
  const ids = states.flatMap(({ machines }) => machines.map(({ id }) => id));
  if (ids.includes(only)) return;
  const near = closest(only, ids);
  throw new InputError(
    `the desired state has no machine '${only}'; it has ${ids.join(', ') || 'none'}.` +
      (near === undefined ? '' : ` Did you mean '${near}'?`),
  );
}

function now(): string {
  return new Date().toISOString();
}
