import type { MachineSpec } from '../../../spec';
import type { Action, Change } from '../../action';
import type { ObservedGuest } from '../../observed';
import type { HaFacts } from '../facts';
import { pveText } from '../../pve/keys/property-string';
import { wantsFrom, type FieldTable } from '../want';

const HA: FieldTable = {
  group: 'group',
  maxRestart: 'max_restart',
  maxRelocate: 'max_relocate',
  failback: 'failback',
};

/** Whether a spec says something of high availability. */
export function isAboutHa({ ha, clear }: MachineSpec): boolean {
  return ha !== undefined || clear?.includes('ha') === true;
}

/** What brings a guest into the care of HA as its spec says, or out of it. `ha`: as it was read; absent: not read. */
export function haSteps(
  spec: MachineSpec,
  { power }: Pick<ObservedGuest, 'power'>,
  ha: HaFacts | undefined,
): { actions: Action[]; changes: Change[] } {
  const nothing = { actions: [], changes: [] };
  if (ha === undefined || !isAboutHa(spec)) return nothing;
  if (spec.ha === undefined) return ha === 'none' ? nothing : LEAVES;
  const wanted = wantsFrom('', HA, spec.ha).map(({ value, ...want }) => ({
    ...want,
    to: pveText(value ?? ''),
  }));
  if (ha === 'none') {
    const joins: Action = { kind: 'join-ha', set: { ...textsOf(wanted), state: stateFor(spec, power) } };
    return { actions: [joins], changes: [{ field: 'ha', from: 'no member', to: 'member', effect: 'live' }] };
  }
  // PVE: HA does nothing for a resource that it ignores, as if it were no member
  if (ha['state'] === 'ignored') wanted.push({ field: 'state', key: 'state', to: stateFor(spec, power) });
  const differing = wanted.filter(({ key, to }) => (ha[key] ?? DEFAULTS[key]) !== to);
  if (differing.length === 0) return nothing;
  return {
    actions: [{ kind: 'change-ha', set: textsOf(differing) }],
    changes: differing.map(({ field, key, to }) => ({
      field: `ha.${field}`,
      from: ha[key],
      to,
      effect: 'live',
    })),
  };
}

function textsOf(wants: readonly { key: string; to: string }[]): Record<string, string> {
  return Object.fromEntries(wants.map(({ key, to }) => [key, to]));
}

/** HA would bring the guest to its state, so that it gets the one that the guest has by then. */
function stateFor(spec: MachineSpec, power: ObservedGuest['power']): string {
  const wanted = spec.power ?? 'running';
  return (wanted === 'unmanaged' ? power : wanted) === 'running' ? 'started' : 'stopped';
}

const LEAVES: ReturnType<typeof haSteps> = {
  actions: [{ kind: 'leave-ha' }],
  changes: [{ field: 'ha', from: 'member', to: undefined, effect: 'live' }],
};

/** PVE: API2/HA/Resources.pm, 8.4 and 9.2. */
const DEFAULTS: Readonly<Record<string, string>> = { max_restart: '1', max_relocate: '1', failback: '1' };
