import { attributes, Expression, hclValue } from '../../report/hcl-value';
import type { Call } from './layers';
import type { Rewrite } from './rewrite';
import { saidInHcl } from './spec-text';
import type { StackMachine } from './stack';
import { valueOf } from './template';

/** The calls of the module, as HCL. */
export function callTf({ name, cluster, machines }: Call, source: string, rewrite: Rewrite): string {
  const { fields, texts } = saidOf(machines, rewrite);
  const snapshots = snapshotsOf(machines, cluster.snapshots);
  const ids = (keep: (machine: StackMachine) => boolean): string[] =>
    machines.filter(keep).map(({ id }) => id);
  const facts = ids(({ hasFacts }) => hasFacts);
  const given: [string, unknown][] = [
    ['owner', valueOf(cluster.owner)],
    ['cluster', JSON.parse(cluster.cluster)],
    ...said(
      'nodes',
      Object.fromEntries(cluster.nodes.map(({ nodeName, ...node }) => [String(nodeName), node])),
    ),
  ];
  const wanted: [string, unknown][] = [
    ['machines', fields],
    ...said('templates_json', templatesOf(machines, rewrite)),
    ...said('specs_json', { ...texts, ...snapshots.texts }),
    ...said('snapshots', snapshots.fields),
  ];
  const sets: [string, unknown][] = [
    ...said(
      'own_observer',
      ids(({ isAlone }) => isAlone),
    ),
    ['facts', facts],
    ...said(
      'addresses',
      ids(({ readsAddress }) => readsAddress),
    ),
    ['entries_of_stack', [...ids(() => true), ...snapshots.keys]],
  ];
  const first: [string, unknown][] = [['source', source], ...waitsOf(machines, rewrite)];
  const groups = [first, given, ...wanted.map(one => [one]), sets];
  return `module "${name}" {\n${groups.map(group => attributes(group, '  ')).join('\n')}}\n`;
}

/** What a call waits for: all that one of its machines is made after. */
function waitsOf(machines: readonly StackMachine[], rewrite: Rewrite): [string, unknown][] {
  const after = rewrite.waits(machines.flatMap(machine => machine.after));
  return said(
    'after',
    after.map(address => new Expression(String(address))),
  );
}

function said(name: string, value: object): [string, unknown][] {
  return Object.keys(value).length === 0 ? [] : [[name, value]];
}

/** The machines by id: as fields where Terraform makes the same text of them, else as that text. */
function saidOf(machines: readonly StackMachine[], rewrite: Rewrite) {
  const fields: Record<string, unknown> = {};
  const texts: Record<string, unknown> = {};
  for (const { id, spec, isTemplate } of machines) {
    if (isTemplate) continue;
    const inHcl = saidInHcl(rewrite.text(spec));
    const { id: _, ...rest } = inHcl.fields ?? {};
    if (inHcl.isSame) fields[id] = rest;
    else texts[id] = inHcl.text('    ');
  }
  return { fields, texts };
}

function templatesOf(machines: readonly StackMachine[], rewrite: Rewrite): Record<string, unknown> {
  const templates = machines.filter(({ isTemplate }) => isTemplate);
  return Object.fromEntries(
    templates.map(({ id, spec }) => [id, saidInHcl(rewrite.text(spec)).text('    ')]),
  );
}

function snapshotsOf(machines: readonly StackMachine[], all: ReadonlyMap<string, string>) {
  const fields: Record<string, Record<string, unknown>> = {};
  const texts: Record<string, unknown> = {};
  const ids = new Set(machines.map(({ id }) => id));
  const mine = [...all].filter(([key]) => ids.has(key.replace(/\..*$/s, '')));
  for (const [key, text] of mine) {
    const inHcl = saidInHcl(text);
    const { machine, name, ...rest } = inHcl.fields ?? {};
    if (inHcl.isSame) fields[String(machine)] = { ...fields[String(machine)], [String(name)]: rest };
    else texts[key] = inHcl.text('    ');
  }
  return { fields, texts, keys: mine.map(([key]) => key) };
}

/** The blocks by which Terraform takes what the state has as what the calls make. */
export function movedTf(calls: readonly Call[], rewrite: Rewrite, former: readonly Move[]): string {
  const clusters = [...new Set(calls.map(({ cluster }) => cluster))];
  const moves = clusters.flatMap((cluster): Move[] => {
    const own = calls.filter(call => call.cluster === cluster);
    const { name, snapshots } = cluster;
    const revisions = own
      .flatMap(call => call.machines)
      .map(({ id }) => ({ from: `null_resource.machine_${name}_${id}`, to: rewrite.revision(name, id) }));
    const taken = [...snapshots.keys()].map(key => {
      const [machine = '', of = ''] = key.split('.');
      return {
        from: `null_resource.snapshot_${name}_${machine}_${of}`,
        to: rewrite.revision(name, machine, of),
      };
    });
    return [...registryMoves(own), ...revisions, ...taken];
  });
  // renamed before they move on: what arrives at a place may come from one place alone
  const renamed = former.map(({ from, to }) => ({
    from: inFirstCall(from, calls),
    to: inFirstCall(to, calls),
  }));
  return [...moves, ...renamed]
    .map(({ from, to }) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`)
    .join('\n');
}

export interface Move {
  from: string;
  to: string;
}

/**
 * A registry moves as a whole: into another type Terraform 1.11 moves no two entries one by one. So an entry that has left
 * the program goes with it, too, and is destroyed as it would have been. From there entries move on to later calls.
 */
function registryMoves([first, ...later]: readonly Call[]): Move[] {
  if (first === undefined) return [];
  const { name, snapshots } = first.cluster;
  const whole = ['machines', 'snapshots'].map(part => ({
    from: `null_resource.${part}_${name}`,
    to: `module.${first.name}.terraform_data.${part}`,
  }));
  const on = later.flatMap(call =>
    call.machines.flatMap(({ id }) => [
      onward(call, `machines["${id}"]`),
      ...[...snapshots.keys()]
        .filter(key => key.startsWith(`${id}.`))
        .map(key => onward(call, `snapshots["${key}"]`)),
    ]),
  );
  function onward(call: Call, entry: string): Move {
    const at = (module: string): string => `module.${module}.terraform_data.${entry}`;
    return { from: at(first?.name ?? ''), to: at(call.name) };
  }
  return [...whole, ...on];
}

/** An entry by the address that it has once its registry has moved as a whole; anything else as it is. */
function inFirstCall(address: string, calls: readonly Call[]): string {
  const [, part = '', cluster = '', key = ''] = ENTRY.exec(address) ?? [];
  const first = calls.find(call => call.cluster.name === cluster);
  return first === undefined ? address : `module.${first.name}.terraform_data.${part}${key}`;
}

const ENTRY = /^null_resource\.(machines|snapshots)_([A-Za-z0-9-]+)(\[".*"\])$/s;

const OUTPUT = ['value', 'description', 'sensitive'];

/** An output as HCL; undefined where it says more than we know of outputs. */
export function outputTf(name: string, json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const entries = Object.entries(json);
  const waits: unknown[] = entries.flatMap(([key, value]: [string, unknown]) =>
    key === 'depends_on' && Array.isArray(value) ? value.map(one => new Expression(String(one))) : [],
  );
  const plain = entries.filter(([key]) => key !== 'depends_on');
  if (plain.some(([key]) => !OUTPUT.includes(key)) || !/^[A-Za-z_][\w-]*$/.test(name)) return undefined;
  const lines = plain.map(([key, value]): [string, unknown] => [
    key,
    key === 'description' ? value : valueOf(value),
  ]);
  const after = waits.length === 0 ? '' : `  depends_on = ${hclValue(waits, { indent: '  ' })}\n`;
  return `output "${name}" {\n${attributes(lines, '  ')}${after}}\n`;
}
