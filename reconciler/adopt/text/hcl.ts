import type { Program } from '../program';
import { common } from '../share-values';
import { hclKey, hclText } from '../../report/hcl-text';
import { attributes, hclValue } from '../../report/hcl-value';
import { less, type Json } from '../spec/said';
import { remarks } from './remarks';

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
    ...defaultsLines(defaults),
    '  machines = {',
    ...entries,
    '  }',
    '}',
    '',
    ...moduleCall({ owner, cluster }, shared),
  ].join('\n');
}

/** What all machines say alike, as a value of its own; nothing where there is none. */
export function defaultsLines(defaults: Json): string[] {
  return Object.keys(defaults).length === 0 ? [] : [attributes([['defaults', defaults]], '  ')];
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
    `  owner    = ${hclText(owner)}`,
    `  cluster  = ${hclValue(cluster, { indent: '  ', used: 13 })}`,
    `  machines = ${given}`,
    '}',
    '',
  ];
}

function entryOf({ id, ...fields }: Json): string {
  const head = `${hclKey(String(id))} = `;
  return `${head}${hclValue(fields, { indent: '    ', used: 4 + head.length })}`;
}
