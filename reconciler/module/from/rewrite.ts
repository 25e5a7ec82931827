import type { Kept } from './kept';
import type { Call } from './layers';
import { codeIn } from './template';
import { changed } from './texts';

/** Says what a stack names by the address that it has in a call of the module. */
export class Rewrite {
  private readonly callOf = new Map<string, Call>();

  constructor(
    private readonly calls: readonly Call[],
    /** The folder of the module of each cluster. */
    private readonly folderOf: (cluster: string) => string,
  ) {
    for (const call of calls)
      for (const { id } of call.machines) this.callOf.set(`${call.cluster.name}_${id}`, call);
  }

  /** What is kept of the stack, with its names in the calls. */
  kept(one: Kept): unknown {
    return changed(one, {
      template: text => this.text(text),
      waits: all => this.waits(all),
      address: text => text,
    });
  }

  /** Addresses that something is made after, with the calls in place of what they made. */
  waits(all: readonly unknown[]): unknown[] {
    return [...new Set(all.flatMap(each => this.entry(each)))];
  }

  /** A template of the stack with its names in the calls. */
  text(text: string): string {
    const told = inCode(text, TOLD, (whole, machine, output) => {
      const call = this.callOf.get(machine);
      return call && isPlain(output) ? `module.${call.name}.machines["${idOf(machine)}"].${output}` : whole;
    });
    const facts = inCode(told, FACTS, (whole, machine) => this.inCall(whole, machine, 'facts'));
    const named = inCode(facts, REVISION, (whole, machine) => this.inCall(whole, machine, 'revisions'));
    const folder = this.folderOf(this.calls[0]?.cluster.name ?? '');
    return named.replace(PROGRAM, () => `\${path.module}/${folder}/reconciler.cjs`);
  }

  /** Where the revision of a machine or of a snapshot is in the calls. */
  revision(cluster: string, machine: string, snapshot?: string): string {
    const call = this.callOf.get(`${cluster}_${machine}`);
    const isTemplate = call?.machines.some(one => one.isTemplate && one.id === machine) === true;
    const at = `module.${call?.name ?? ''}.null_resource.`;
    if (snapshot !== undefined) return `${at}snapshot["${machine}.${snapshot}"]`;
    return `${at}${isTemplate ? 'template' : 'machine'}["${machine}"]`;
  }

  private entry(json: unknown): unknown[] {
    if (typeof json !== 'string' || !/^null_resource\.[\w-]+$/.test(json)) return [json];
    const [, kind = '', cluster = '', rest = ''] = ADDRESS.exec(json) ?? [];
    const all = this.calls.filter(call => call.cluster.name === cluster);
    if (kind.endsWith('s') && all.length > 0) return all.map(({ name }) => `module.${name}`);
    const call = this.callOf.get(`${cluster}_${rest.replace(/_.*$/s, '')}`);
    return [call === undefined ? json : `module.${call.name}`];
  }

  private inCall(whole: string, machine: string, output: string): string {
    const call = this.callOf.get(machine);
    return call === undefined ? whole : `module.${call.name}.${output}["${idOf(machine)}"]`;
  }
}

const idOf = (machine: string): string => machine.slice(machine.indexOf('_') + 1);

// Neither a cluster nor a machine has a "_" in its name.
const MACHINE = '([A-Za-z0-9-]+_[A-Za-z0-9-]+)';
const FACTS = new RegExp(`\\bdata\\.external\\.facts_${MACHINE}\\.result\\b`, 'g');
const TOLD = new RegExp(
  `\\bjsondecode\\(lookup\\(data\\.external\\.facts_${MACHINE}\\.result, "(\\w+)", "null"\\)\\)`,
  'g',
);
const REVISION = new RegExp(`\\bnull_resource\\.machine_${MACHINE}\\.id\\b`, 'g');
const PROGRAM = /(?<!\$)\$\{path\.module\}\/proxmox\/reconciler\.\w+\.cjs/g;
const ADDRESS = /^null_resource\.(machines|machine|snapshots|snapshot)_([A-Za-z0-9-]+)(?:_(.+))?$/s;

/** What the module tells of a machine under the same name, with the same value. */
function isPlain(output: string): boolean {
  return ['vmid', 'node', 'uuid', 'name', 'phase', 'powerState', 'restartRequired', 'consoleUrl'].includes(
    output,
  );
}

/** A template with what is found in its code said in another way. */
function inCode(
  text: string,
  pattern: RegExp,
  by: (whole: string, machine: string, output: string) => string,
): string {
  const code = codeIn(text);
  let made = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (!code.has(match.index)) continue;
    const [whole, machine = '', output = ''] = match;
    made += text.slice(done, match.index) + by(whole, machine, output);
    done = match.index + whole.length;
  }
  return made + text.slice(done);
}

/** The addresses of a stack that are still named in code, though the module has their things now. */
export function leftIn(code: string, own: ReadonlySet<string>): string[] {
  const names = code.match(/\b(?:null_resource|data\.external)\.[\w-]+/g) ?? [];
  return [...new Set(names)].filter(name => own.has(name));
}
