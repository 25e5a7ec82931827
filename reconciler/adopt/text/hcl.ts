import type { Program } from '../program';
import { common } from '../share-values';
import { hclKey, hclText } from '../../report/hcl-text';
import { less, type Json } from '../spec/said';
import { literal, type Style } from './literal';
import { remarks } from './remarks';

const STYLE: Style = {
  text: hclText,
  key: hclKey,
  is: ' = ',
  commas: false,
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
  const given =
    shared.length === 0
      ? 'local.machines'
      : '{ for id, machine in local.machines : id => merge(local.defaults, machine) }';
  return [
    'locals {',
    ...(shared.length === 0 ? [] : [`  defaults = ${literal(defaults, STYLE, '  ', 13)}`, '']),
    '  machines = {',
    ...entries,
    '  }',
    '}',
    '',
    'module "proxmox" {',
    '  source   = "./modules/proxmox"',
    `  owner    = ${hclText(owner)}`,
    `  cluster  = ${literal(cluster, STYLE, '  ', 13)}`,
    `  machines = ${given}`,
    '}',
    '',
  ].join('\n');
}

function entryOf({ id, ...fields }: Json): string {
  const head = `${STYLE.key(String(id))} = `;
  return `${head}${literal(fields, STYLE, '    ', 4 + head.length)}`;
}
