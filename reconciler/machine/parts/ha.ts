import type { MachineSpec } from '../../../spec';
import { liveChange, type Action, type Change } from '../../action';
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
    const joins: Action = {
      kind: 'join-ha',
      ...powerFor(spec),
      set: { ...textsOf(wanted), ...stateFor(spec) },
    };
    return { actions: [joins], changes: [{ field: 'ha', from: 'no member', to: 'member', effect: 'live' }] };
  }
  const differing = wanted.filter(({ key, to }) => (ha[key] ?? DEFAULTS[key]) !== to);
  // PVE: HA does nothing for a resource that it ignores, as if it were no member
  const isIgnored = ha['state'] === 'ignored';
  if (differing.length === 0 && !isIgnored) return nothing;
  const changes = differing.map(({ field, key, to }) => liveChange(`ha.${field}`, ha[key], to));
  if (!isIgnored) return { actions: [{ kind: 'change-ha', set: textsOf(differing) }], changes };
  const set = { ...textsOf(differing), ...stateFor(spec) };
  const state = liveChange('ha.state', 'ignored', set['state'] ?? 'as its power is');
  return { actions: [{ kind: 'change-ha', set, ...powerFor(spec) }], changes: [...changes, state] };
}

function textsOf(wants: readonly { key: string; to: string }[]): Record<string, string> {
  return Object.fromEntries(wants.map(({ key, to }) => [key, to]));
}

/** HA brings a guest to its state: it is told the one that the spec wants. */
function stateFor({ power = 'running' }: MachineSpec): Record<string, string> {
  if (power === 'unmanaged') return {};
  return { state: power === 'running' ? 'started' : 'stopped' };
}

function powerFor({ power }: MachineSpec): { keepsPower?: true } {
  return power === 'unmanaged' ? { keepsPower: true } : {};
}

const LEAVES: ReturnType<typeof haSteps> = {
  actions: [{ kind: 'leave-ha' }],
  changes: [{ field: 'ha', from: 'member', to: undefined, effect: 'live' }],
};

/** PVE: API2/HA/Resources.pm, 8.4 and 9.2. */
const DEFAULTS: Readonly<Record<string, string>> = { max_restart: '1', max_relocate: '1', failback: '1' };
