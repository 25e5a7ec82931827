import { Difference, Observation } from '../../spec';
import { InputError } from '../errors';
import { readJson } from '../read-json';
import type { MachineParts } from './plan-parts';
import { ownerNow, ownerThen } from './registry-entry';
import type { ReviewedMachine, Verdict } from './review';

type Told = Observation | undefined;

/** What a plan does to one machine. A plan that failed holds no revision of the machines that it refused. */
export function reviewMachine(parts: MachineParts, planFailed: boolean): ReviewedMachine {
  const { id, cluster, module, answers } = parts;
  const told = toldOf(parts);
  const verdict = verdictOf(parts, told, planFailed);
  const isPlanned = !NOT_APPLIED.includes(verdict);
  const { does, changes, waiting = [], ...more } = differenceOf(isPlanned ? told : undefined);
  const before = told?.node || undefined;
  return {
    id,
    cluster,
    module,
    name: nameOf(answers?.query[`spec.${id}`]) ?? id,
    verdict,
    vmid: told?.vmid || undefined,
    before,
    after: verdict === 'destroy' || verdict === 'rebuild' ? undefined : (more.node ?? before),
    does: verdict === 'rebuild' ? ['destroying it with its disks, and creating it again'] : does,
    changes,
    waiting,
    notes: notesOf(parts, verdict, told, more),
  };
}

/** What the observer says it would do is not what becomes of these. */
const NOT_APPLIED: readonly Verdict[] = ['destroy', 'forget', 'unplanned', 'unknown'];

const BY_EFFECT: { [E in Observation['effect']]: Verdict } = {
  none: 'unchanged',
  create: 'create',
  adopt: 'adopt',
  live: 'change',
  restart: 'restart',
  rebuild: 'rebuild',
  refused: 'refused',
};

function verdictOf(parts: MachineParts, told: Told, planFailed: boolean): Verdict {
  const { entry, revision, fate } = parts;
  if (fate.entry === 'gone') return fate.spared === undefined ? 'destroy' : 'forget';
  const isApplied = planFailed || revision !== undefined;
  if (entry === undefined) return 'unplanned';
  if (!isApplied) return fate.entry === 'replaced' && fate.spared === undefined ? 'destroy' : 'unplanned';
  if (ownerThen(entry) !== ownerNow(parts) || told?.effect === 'refused') return 'refused';
  if (fate.entry === 'replaced' && told?.status !== 'absent') {
    return fate.spared === undefined ? 'rebuild' : 'refused';
  }
  if (told === undefined || told.status === 'unknown') return 'unknown';
  return told.effect === 'live' && differenceOf(told).adopts ? 'adopt' : BY_EFFECT[told.effect];
}

function toldOf({ id, answers }: MachineParts): Told {
  const result = answers?.result ?? {};
  const fields = Object.entries(result).filter(
    ([key]) => key.startsWith(`${id}.`) && !key.slice(id.length + 1).includes('.'),
  );
  if (fields.length === 0) return undefined;
  const told = Observation.safeParse(
    Object.fromEntries(fields.map(([key, value]) => [key.slice(id.length + 1), value])),
  );
  if (told.success) return told.data;
  throw new InputError(
    `the plan's answer about machine ${id} cannot be read: it is of another release of cdktf-proxmox. Synthesize the stack again and plan again.`,
  );
}

function differenceOf(told: Told): Difference {
  if (told === undefined || told.diff === '') return { does: [], changes: [] };
  const parsed = Difference.safeParse(readJson(told.diff, "a difference in the plan's answers"));
  if (parsed.success) return parsed.data;
  throw new InputError(
    'a difference in the plan cannot be read: it is of another release of cdktf-proxmox. Synthesize the stack again and plan again.',
  );
}

function notesOf(
  parts: MachineParts,
  verdict: Verdict,
  told: Told,
  { adopts, restart, unknown }: Pick<Difference, 'adopts' | 'restart' | 'unknown'>,
): string[] {
  const { entry, revision } = parts;
  const renamed = entry?.previous_address;
  return [
    ...(verdict === 'refused' && told ? told.refusal.split('\n').filter(line => line !== '') : []),
    ...(verdict === 'unplanned' ? ['This plan leaves it out.'] : []),
    ...(verdict === 'unknown' ? waitsFor(parts) : []),
    ...(verdict === 'unknown' && entry?.change.actions[0] === 'create' ? ['It is new to this state.'] : []),
    ...(adopts && verdict !== 'adopt' ? ['A guest that is there comes under this stack: adopt.'] : []),
    ...(unknown === undefined ? [] : unknown.split('\n')),
    ...(told?.status === 'observed' ? [`It is only observed (mode: observe). ${told.drift}`.trimEnd()] : []),
    ...(told?.status === 'paused' ? ['It is paused: nobody read how it stands.'] : []),
    ...(restart === 'now' && verdict !== 'rebuild' ? ['The apply restarts it.'] : []),
    ...(restart === 'later' && verdict !== 'rebuild'
      ? ['It is not restarted: the change waits until somebody restarts it.']
      : []),
    ...(renamed === undefined ? [] : [`It was ${renamed} before. The guest stays.`]),
    ...(verdict === 'unchanged' && revision?.change.actions.includes('create')
      ? ['Terraform applies it again and finds nothing to do.']
      : []),
  ];
}

function waitsFor({ module, answers, sharesAnswers }: MachineParts): string[] {
  const { reads = [], result } = answers ?? {};
  const read = reads.join(', ');
  if (module === '' || !sharesAnswers || result !== undefined) {
    return reads.length > 0 ? [`Its spec reads what only apply gives: ${read}.`] : [];
  }
  return [
    `The machines of ${module} are read together, and only when it is applied${reads.length > 0 ? `: one of them reads ${read}` : ''}. Name in own_observer the machine whose value comes late, and the others do not wait.`,
  ];
}

function nameOf(spec: unknown): string | undefined {
  if (typeof spec !== 'string') return undefined;
  const json = readJson(spec, 'a spec in the plan');
  const name: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}
