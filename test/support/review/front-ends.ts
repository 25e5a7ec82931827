import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TerraformStack } from 'cdktf';
import {
  Image,
  Machine,
  PreparedImage,
  ProxmoxCluster,
  Snapshot,
  type MachineProps,
  type PreparedImageProps,
} from '../../../constructs';
import type { Action } from '../../../reconciler/action';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { manifest } from '../manifests/said';
import { run } from '../processes/cli';
import type { Deployment } from '../terraform/deployment';
import type { Said } from './kinds';

/** What is told of each machine before anything is done. */
type Told = Record<string, string>;

/** A way to say what is wanted, to be told what will be done, and to have it done. */
export interface FrontEnd {
  say: (said: Said) => Promise<void>;
  told: () => Promise<Told>;
  /** Its exit code, and what it said. */
  apply: () => Promise<{ code: number | null; text: string }>;
}

export const FRONT_ENDS: Record<string, (lab: Deployment) => FrontEnd> = {
  cdktf: lab => terraform(lab, said => lab.synth(stackOf(said))),
  HCL: lab => terraform(lab, said => writeHcl(lab, said)),
  'command line': lab => {
    const file = path.join(lab.folder, 'desired.json');
    return program(lab, ['--spec', file], said => {
      const machines = Object.entries(said.machines).map(([id, fields]) => ({ id, ...fields }));
      const snapshots = snapshotsIn(said).map(({ machine, name, fields }) => ({ machine, name, ...fields }));
      const images = Object.entries(said.images ?? {}).map(([name, fields]) => ({ name, ...fields }));
      const state = { version: 1, owner: 'lab', cluster: { name: 'lab' }, machines, snapshots, images };
      lab.put('desired.json', JSON.stringify(state));
    });
  },
  manifests: lab => {
    const folder = path.join(lab.folder, 'manifests');
    return program(lab, ['--manifests', folder], said => {
      mkdirSync(folder, { recursive: true });
      const documents = [
        manifest('ProxmoxCluster', 'lab'),
        ...Object.entries(said.machines).map(([id, fields]) => manifest('Machine', id, fields)),
        ...snapshotsIn(said).map(({ machine, name, fields }) =>
          manifest('VMSnapshot', name, { vmRef: { name: machine }, ...fields }),
        ),
      ];
      lab.put('manifests/all.yaml', documents.join(''));
    });
  },
};

function snapshotsIn({ snapshots = {} }: Said): { machine: string; name: string; fields: object }[] {
  return Object.entries(snapshots).flatMap(([machine, all]) =>
    Object.entries(all).map(([name, fields]) => ({ machine, name, fields })),
  );
}

function terraform(lab: Deployment, say: FrontEnd['say']): FrontEnd {
  return {
    say,
    told: async () => {
      const planned = await lab.run('plan', '-input=false', '-out=plan.bin');
      const shown = await lab.run('show', '-json', 'plan.bin');
      if (shown.code !== 0) throw new Error(planned.text + shown.text);
      const { machines } = reviewPlan(shown.text, 'the plan');
      return Object.fromEntries(machines.map(({ id, verdict }) => [id, verdict]));
    },
    apply: () => lab.apply('plan.bin'),
  };
}

function stackOf(said: Said): (stack: TerraformStack) => void {
  return stack => {
    new ProxmoxCluster(stack, 'lab', { owner: 'lab' });
    const images = new Map(
      Object.entries(said.images ?? {}).map(([name, fields]) => {
        const prepared = new PreparedImage(stack, name, fields as PreparedImageProps);
        return [name, prepared.image] as const;
      }),
    );
    const machines = Object.entries(said.machines).map(([id, { image, ...fields }]) => {
      const props = {
        ...fields,
        ...(image !== undefined && { image: imageOf(image, images) }),
      } as MachineProps;
      return [id, new Machine(stack, id, props)] as const;
    });
    for (const { machine: id, name, fields } of snapshotsIn(said)) {
      const machine = new Map(machines).get(id);
      if (machine) new Snapshot(stack, `${id}-${name}`, { machine, name, ...fields });
    }
  };
}

function imageOf(image: unknown, images: ReadonlyMap<string, Image>): Image {
  const { template, machine } = image as { template?: string; machine?: string };
  if (template !== undefined) return Image.fromTemplate(template);
  if (machine === undefined) return Image.blank();
  return images.get(machine) ?? Image.fromMachine(machine);
}

const CALL = `
variable "call" { type = any }
module "lab" {
  source    = "./proxmox"
  owner     = "lab"
  cluster   = { name = "lab" }
  machines  = var.call.machines
  snapshots = try(var.call.snapshots, {})
  images    = try(var.call.images, {})
  facts     = []
}
`;

async function writeHcl(lab: Deployment, said: Said): Promise<void> {
  mkdirSync(lab.folder, { recursive: true });
  const moved = Object.entries(said.machines).flatMap(([id, { formerIds = [] }]) =>
    (formerIds as string[]).flatMap(former =>
      ['terraform_data.machines', 'null_resource.machine'].map(
        of => `moved {\n  from = module.lab.${of}["${former}"]\n  to   = module.lab.${of}["${id}"]\n}\n`,
      ),
    ),
  );
  lab.put('main.tf', CALL + moved.join(''));
  lab.put('call.auto.tfvars.json', JSON.stringify({ call: said }));
  if ((await lab.run('version')).text.includes('provider registry')) return;
  const reconciler = path.resolve('dist', 'reconciler.cjs');
  execFileSync('node', [reconciler, 'module', 'proxmox', '--quiet'], { cwd: lab.folder });
  const { code, text } = await lab.run('init', '-input=false');
  if (code !== 0) throw new Error(text);
}

interface Planned {
  machines: { machine: string; actions: Action[]; refusals: object[]; restart?: string; mode?: string }[];
}

/** The program itself. What leaves it destroys where it is named. */
function program(lab: Deployment, words: string[], put: (said: Said) => void): FrontEnd {
  let before: string[] = [];
  let now: string[] = [];
  const former = new Set<string>();
  const ran = (verb: string, ...more: string[]) =>
    run([verb, ...more, ...words], { ...lab.access, PVE_RUN: '' });
  const leaving = (): string[] => before.filter(id => !now.includes(id) && !former.has(id));
  return {
    say: said => {
      mkdirSync(lab.folder, { recursive: true });
      [before, now] = [now, Object.keys(said.machines)];
      Object.values(said.machines).forEach(({ formerIds = [] }) =>
        (formerIds as string[]).forEach(id => former.add(id)),
      );
      put(said);
      return Promise.resolve();
    },
    told: async () => {
      const { stdout, stderr } = await ran('plan', '--json');
      if (stdout === '') throw new Error(stderr);
      const { machines } = JSON.parse(stdout) as Planned;
      const left = leaving().map(id => [id, 'destroy'] as const);
      return Object.fromEntries([...machines.map(one => [one.machine, verdictOf(one)] as const), ...left]);
    },
    apply: async () => {
      const gone = leaving();
      const destroyed = gone.length > 0 ? await ran('destroy', ...gone, '--yes') : undefined;
      const { code, stderr } = await ran('reconcile');
      return { code: destroyed?.code || code, text: `${destroyed?.stderr ?? ''}${stderr}` };
    },
  };
}

function verdictOf({ actions, refusals, restart, mode }: Planned['machines'][number]): string {
  const kinds = new Set(actions.map(({ kind }) => kind));
  if (refusals.length > 0) return 'refused';
  if (mode === 'observe') return 'observed';
  if (kinds.has('destroy')) return 'rebuild';
  if (kinds.has('create') || kinds.has('clone')) return 'create';
  if (restart !== undefined && actions.length > 0) return restart === 'now' ? 'restart' : 'waits';
  if (actions.some(action => action.kind === 'power' && action.to === 'stopped')) return 'stop';
  return actions.length > 0 ? 'change' : 'unchanged';
}
