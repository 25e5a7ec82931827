import type { Action, Change } from '../../../reconciler/action';
import { parseMachine, type MachineSpec } from '../../../spec';
import { GuestModel } from '../reconciler/guest-model';
import { cluster, planContext, planMachine } from '../reconciler/observed';
import { WANTED_FIELDS, type WantedField } from '../spec/machine-fields';
import { withField, withWanted } from '../spec/with-field';

type Json = Record<string, unknown>;

/** A field of a machine: how it is said, what Proxmox keeps then, and what it costs a machine that runs. */
export interface FieldExample {
  field: string;
  said: Json;
  proxmox: string[];
  cost: string;
}

const DISK = { name: 'data', size: '4Gi' };
const CARD = { name: 'lan' };
const BASE: Json = {
  ...{ id: 'web', image: { blank: true }, restart: 'whenNeeded' },
  disks: [
    { name: 'root', size: '8Gi', storage: 'slow' },
    { ...DISK, storage: 'slow' },
  ],
  networks: [CARD],
};

export const fieldExamples = (): FieldExample[] => WANTED_FIELDS.map(exampleOf);

function exampleOf(row: WantedField): FieldExample {
  const { before, value } = pairOf(row);
  const guest = new GuestModel(101);
  settle(before, guest);
  const observed = guest.observe();
  const { changes, actions } = planned(specOf(withWanted(BASE, row, value))!, guest);
  const had = observed.kind === 'present' ? observed.guest.current : {};
  const forms = actions.flatMap(action => formOf(action, had));
  return {
    field: row.field.replaceAll(/\[[^\]]+\]/g, '[]'),
    said: saidOf(row, value),
    proxmox: forms.length > 0 ? forms : madeWith(row, value, before),
    cost: row.base?.['power'] === 'stopped' ? 'only while it is off' : costOf(changes),
  };
}

/** A machine without the field and its first value; where it cannot be without, or has that anyway, its next one. */
function pairOf(row: WantedField): { before: MachineSpec; value: unknown } {
  const without = Object.entries(row.also ?? {}).reduce<Json>(
    (spec, [name, value]) => withField(spec, name, value),
    { ...row.base, ...BASE },
  );
  const [first, second] = row.values;
  const plain = specOf(without);
  for (const [before, value] of [
    [plain, first],
    [specOf(withWanted(BASE, row, first)), second],
    [plain, second],
  ] as const) {
    if (before === undefined || value === undefined) continue;
    const guest = new GuestModel(101);
    settle(before, guest);
    if (planned(specOf(withWanted(BASE, row, value))!, guest).changes.length > 0) return { before, value };
  }
  return { before: plain ?? specOf(withWanted(BASE, row, first))!, value: first };
}

function specOf(fields: Json): MachineSpec | undefined {
  const parsed = parseMachine(fields);
  return parsed.ok ? parsed.value : undefined;
}

const planned = (spec: MachineSpec, guest: GuestModel) =>
  planMachine(spec, guest.observe(), cluster(), planContext());

function settle(spec: MachineSpec, guest: GuestModel): void {
  for (let round = 0; round < 6; round += 1) {
    const { actions } = planned(spec, guest);
    if (actions.length === 0) return;
    actions.forEach(action => guest.carryOut(action));
  }
}

/** The field alone, with what it needs; of a disk or a card its name too. */
function saidOf(row: WantedField, value: unknown): Json {
  const device = row.field.startsWith('disks') ? { disks: [DISK] } : { networks: [CARD] };
  const start = /^(disks|networks)\[/.test(row.field) ? device : {};
  return withWanted(start, row, value);
}

/** What a new machine is made with, where one that is there cannot be changed. */
function madeWith(row: WantedField, value: unknown, before: MachineSpec): string[] {
  const [wanted, without] = [specOf(withWanted(BASE, row, value))!, before].map(spec => {
    const [first] = planMachine(spec, { kind: 'absent' }, cluster(), planContext()).actions;
    return first?.kind === 'create' ? first.params : {};
  });
  return Object.entries(wanted ?? {})
    .filter(([key, text]) => key !== 'description' && without?.[key] !== text)
    .map(([key, text]) => `${key}: ${newIn(String(text), without?.[key]?.toString())}`);
}

/** What is written, of a property string only what is new in it. */
function formOf(action: Action, had: Record<string, string>): string[] {
  if (action.kind === 'configure')
    return Object.entries(action.set)
      .map(([key, text]) => [key, text.replace(/\n?<!-- pvr[^]*$/, '')] as const)
      .filter(([key, text]) => key !== 'description' || text !== '')
      .map(([key, text]) => `${key}: ${key === 'description' ? text : newIn(text, had[key])}`);
  if (action.kind === 'resize') return [`size of ${action.slot}`];
  if (action.kind === 'move-disk') return [`volume of ${action.slot}`];
  if (action.kind === 'set-pool') return [`pool: ${action.pool ?? ''}`];
  return [];
}

function newIn(text: string, had: string | undefined): string {
  const [old, now] = [(had ?? '').split(','), text.split(',')];
  const added = now.filter(part => !old.includes(part));
  return had === undefined || added.length === now.length ? text : `…,${added.join(',')}`;
}

const ORDER = ['live', 'restart', 'rebuild', 'refused'] as const;
const costOf = (changes: readonly Change[]): string =>
  ORDER.findLast(cost => changes.some(({ effect }) => effect === cost)) ?? 'only when it is made';
