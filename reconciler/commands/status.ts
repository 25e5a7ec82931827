import { remedyText } from '../action';
import type { MachineOutputs, Outputs } from '../../spec';
import { closest } from '../../spec';
import { InputError } from '../errors';
import { EXIT, exitCodeOfAll } from '../report/exit-code';
import type { Run } from '../run/run';
import { absentOutputs, machineOutputs, unreadOutputs } from '../outputs/machine';
import { clusterStatus } from '../outputs/cluster';
import { listResources } from '../pve';
import { messageOf, statusTable } from '../report/status-table';
import { yaml } from '../report/yaml';
import type { Wanted } from '../run/wanted';
import { MachineRun } from '../apply/machine-run';
import { seeGuest } from '../outputs/see-guest';
import { desiredStates } from '../input/desired-states';
import { eachState, wantedBy } from './each-state';
import type { Options, Surroundings } from '../input/surroundings';
import { unreadMachine } from './unread-machine';
import { withRun } from './with-run';

const FORMS = ['table', 'wide', 'json', 'yaml'] as const;

/** Tells how machines stand: phase, conditions, place, addresses, what waits. Changes nothing. */
export async function status(around: Surroundings, options: Options, [only]: string[]): Promise<number> {
  const form = formOf(options);
  const text = once(around.readInput);
  const reading = { ...around, readInput: text };
  if (only !== undefined) await namesMachine(only, options, reading);
  const errors: unknown[] = [];
  const all = await eachState(options, reading, (state, access) =>
    withRun(access, around, state, async run => {
      const chosen = state.machines.filter(({ id }) => only === undefined || id === only);
      const told = await Promise.all(
        chosen.map(
          async spec => [spec.id, await standing(run, wantedBy(state.owner, spec, around), errors)] as const,
        ),
      );
      const cluster = clusterStatus(run.cluster, await listResources(run.pve), { usage: true });
      return [{ machines: Object.fromEntries(told), cluster: { ...cluster, lastHealthCheck: now() } }];
    }),
  );
  around.signal.throwIfAborted();
  all.forEach(outputs => around.out(`${shown(outputs, form)}\n`));
  // the narrow table has no room for it
  if (form === 'table') all.flatMap(whyUnread).forEach(line => around.reporter.say('warn', line));
  return errors.length === 0 ? EXIT.done : exitCodeOfAll(errors);
}

async function standing(run: Run, wanted: Wanted, errors: unknown[]): Promise<MachineOutputs> {
  const { mode } = wanted.spec;
  if (mode === 'paused') return { ...unreadOutputs(), lastUpdated: now() };
  const outputs = await readOutputs(run, wanted, errors);
  return { ...outputs, ...(mode === 'observe' && { mode }), lastUpdated: now() };
}

async function readOutputs(run: Run, wanted: Wanted, errors: unknown[]): Promise<MachineOutputs> {
  const machine = new MachineRun(run, wanted);
  try {
    const have = await machine.observe();
    if (have.kind === 'refused') return absentOutputs(`${have.detail} ${remedyText(have)}`);
    if (have.kind === 'absent') return absentOutputs();
    const { waiting, waitsFor } = await machine.plan(have);
    return machineOutputs({ ...(await seeGuest(run.pve, have.guest)), waiting, waitsFor });
  } catch (error) {
    run.signal.throwIfAborted();
    errors.push(error);
    return unreadMachine(error, run, wanted.identity);
  }
}

function whyUnread({ machines }: Outputs): string[] {
  return Object.entries(machines)
    .filter(([, { phase }]) => phase === 'Error')
    .map(([id, outputs]) => `${id}: ${messageOf(outputs)}`);
}

function shown(outputs: Outputs, form: (typeof FORMS)[number]): string {
  if (form === 'json') return JSON.stringify(outputs, undefined, 2);
  return form === 'yaml' ? yaml(outputs) : statusTable(outputs.machines, form === 'wide');
}

function formOf({ output, json }: Options): (typeof FORMS)[number] {
  const asked = output ?? (json ? 'json' : 'table');
  const known = FORMS.find(form => form === asked);
  if (known) return known;
  const near = closest(asked, FORMS);
  throw new InputError(
    `--output ${asked} is not known; allowed: ${FORMS.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

async function namesMachine(only: string, options: Options, around: Surroundings): Promise<void> {
  const ids = (await desiredStates(options, around)).flatMap(({ machines }) => machines.map(({ id }) => id));
  if (ids.includes(only)) return;
  const near = closest(only, ids);
  throw new InputError(
    `the desired state has no machine '${only}'; it has ${ids.join(', ') || 'none'}.` +
      (near === undefined ? '' : ` Did you mean '${near}'?`),
  );
}

/** Reads stdin once, however often it is asked for. */
function once(read: () => Promise<string>): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => (text ??= read());
}

function now(): string {
  return new Date().toISOString();
}
