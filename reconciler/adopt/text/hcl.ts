import type { Program } from '../program';
import { common } from '../share-values';
import { hclKey, hclText } from '../../report/hcl-text';
import { less, type Json } from '../spec/said';
import { literal, type Style } from './literal';
import { visibly } from './quoted';
import { remarks } from './remarks';

export const HCL: Style = {
  width: 100,
  text: value => visibly(hclText(value)),
  key: hclKey,
  is: ' = ',
  commas: false,
  column: name => `row.${name}`,
  isBrief: false,
};

/** A call of the module that `pve-reconciler module` writes. What all machines say alike stands once. */
export function hclOf({ owner, cluster, machines }: Program): string {
  const all = machines.map(({ json }) => json);
  const defaults = all.length < 2 ? {} : common(all);
  const shared = Object.keys(defaults);
  const entries = machines.flatMap(machine => [
    ...remarks('    #', machine),
    `    ${entryOf(less(machine.json, shared))}`,
  ]);
  return [
    'locals {',
    ...(shared.length === 0 ? [] : [`  defaults = ${literal(defaults, HCL, '  ', 13)}`, '']),
    '  machines = {',
    ...entries,
    '  }',
    '}',
    '',
    ...moduleCall({ owner, cluster }, shared),
  ].join('\n');
}

/** The call of the module with `local.machines`, and with `local.defaults` below them where some fields are shared. */
export function moduleCall(
  { owner, cluster }: Pick<Program, 'owner' | 'cluster'>,
  shared: readonly string[],
): string[] {
  const given =
    shared.length === 0
      ? 'local.machines'
      : '{ for id, machine in local.machines : id => merge(local.defaults, machine) }';
  return [
    'module "proxmox" {',
    '  source   = "./modules/proxmox"',
    `  owner    = ${HCL.text(owner)}`,
    `  cluster  = ${literal(cluster, HCL, '  ', 13)}`,
    `  machines = ${given}`,
    '}',
    '',
  ];
}

function entryOf({ id, ...fields }: Json): string {
  const head = `${HCL.key(String(id))} = `;
  return `${head}${literal(fields, HCL, '    ', 4 + head.length)}`;
}
