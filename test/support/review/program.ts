import { Resource } from '@cdktf/provider-null/lib/resource';
import type { TerraformStack } from 'cdktf';
import path from 'node:path';
import { Image, Machine, ProxmoxCluster, RemovedCluster, type MachineProps } from '../../../constructs';
import { run } from '../processes/cli';
import type { Deployment } from '../terraform/deployment';
import { revision } from '../terraform/lab-stack';

/** What a program asks for. */
export interface Program {
  machines: Readonly<Record<string, MachineProps>>;
  /** `left`: the cluster is gone from the code, and nothing stands in its place. */
  cluster?: 'there' | 'removed' | 'left';
  owner?: string;
  /** A machine that reads a resource which is made in the same apply. */
  late?: boolean;
  /** The machine `behind` on another cluster, which is made after this one. */
  behind?: { after: string; props: MachineProps };
  /** A resource with create_before_destroy that reads this machine. */
  readBy?: string;
}

/** One plan, and what is done before it. The rounds play after each other on one stack. */
export interface Round {
  name: string;
  /** The program from now on; without it, the one of before. */
  program?: (now: Program, lab: Deployment) => Program;
  /** What somebody does by hand before the plan. */
  before?: (lab: Deployment) => Promise<unknown>;
  args?: string[];
  /** The plan itself fails: then nothing of it is applied. */
  fails?: true;
  /** What the review must say at least: so that the round is what its name says. */
  says: Readonly<Record<string, string>>;
}

/** The stack of a program. */
export function stackOf({ machines, cluster = 'there', owner, late, readBy, behind }: Program) {
  return (stack: TerraformStack): void => {
    if (cluster === 'removed') new RemovedCluster(stack, 'lab');
    if (cluster !== 'there') return;
    const lab = new ProxmoxCluster(stack, 'lab', owner === undefined ? {} : { owner });
    const made = Object.entries(machines).map(
      ([id, props]) => new Machine(stack, id, { ...props, cluster: lab }),
    );
    if (late)
      new Machine(stack, 'late', { ...off, cluster: lab, description: new Resource(stack, 'seed').id });
    if (behind) {
      const dependsOn = made.filter(({ machineId }) => machineId === behind.after);
      new Machine(stack, 'behind', {
        ...behind.props,
        cluster: new ProxmoxCluster(stack, 'other'),
        dependsOn,
      });
    }
    if (readBy === undefined) return;
    const triggers = { machine: `\${${revision(readBy)}.id}` };
    new Resource(stack, 'reader', { triggers, lifecycle: { createBeforeDestroy: true } });
  };
}

export const on: MachineProps = {
  image: Image.blank(),
  memory: '512Mi',
  disks: [{ name: 'root', size: '1G', storage: 'shared' }],
};
export const off: MachineProps = { ...on, power: 'stopped' };
export const made = (template: string): MachineProps =>
  ({
    image: Image.fromTemplate(template),
    memory: '1Gi',
    rebuildOn: ['image'],
    power: 'stopped',
  }) as MachineProps;
/** As `live` is from the round on in which it grows. */
export const GROWN = {
  node: 'pve3',
  pin: true,
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
  disks: [{ name: 'root', size: '2G', storage: 'shared' }],
};
export const more = (props: object, base = off): MachineProps => ({ ...base, ...props });

/** These machines from now on, and without those that are named. */
export const put =
  (machines: Record<string, MachineProps>, ...gone: string[]) =>
  (now: Program): Program => ({
    ...now,
    machines: Object.fromEntries(
      Object.entries({ ...now.machines, ...machines }).filter(([id]) => !gone.includes(id)),
    ),
  });
export const drop = (...gone: string[]) => put({}, ...gone);
export const said =
  (words: Partial<Program>) =>
  (now: Program): Program => ({ ...now, ...words });

export const pathOf = (lab: Deployment, id: string): string => {
  const guest = lab.guest(id);
  if (guest === undefined) throw new Error(`there is no guest ${id}`);
  return `/nodes/${guest.node}/qemu/${guest.vmid}`;
};
export const write =
  (id: string, form: Record<string, string>) =>
  (lab: Deployment): Promise<void> =>
    lab.byHand('PUT', `${pathOf(lab, id)}/config`, form);
export const removeByHand =
  (id: string) =>
  (lab: Deployment): Promise<void> =>
    lab.byHand('DELETE', pathOf(lab, id));
/** Takes the mark of another registry entry off a guest: only then it can be adopted. */
export const release =
  (id: string) =>
  async (lab: Deployment): Promise<void> => {
    const owner = `${path.basename(lab.folder)}/lab/default`;
    const { code, stderr } = await run(['release', id, '--owner', owner, '--yes'], lab.access);
    if (code !== 0) throw new Error(stderr);
  };
/** Takes a guest over that is released. */
export const takeOver =
  (id: string) =>
  (now: Program, lab: Deployment): Program =>
    put({ [id]: more({ adopt: true, vmid: lab.guest(id)?.vmid }, now.machines[id]) })(now);
export const engine =
  (...args: string[]) =>
  async (lab: Deployment): Promise<void> => {
    const ran = await lab.run(...args);
    if (ran.code !== 0) throw new Error(ran.text);
  };
export const all =
  (...doings: ((lab: Deployment) => Promise<unknown>)[]) =>
  async (lab: Deployment): Promise<void> => {
    for (const doing of doings) await doing(lab);
  };
