import { runLine } from '../../reconciler/walk/live';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Guest, World } from '../../../simulator/world';
import { administratorOf, type Administrator } from '../cluster/administrator';
import type { Lab } from '../cluster/lab';
import { lab, labWorld } from '../cluster/lab';
import { programAccess } from '../cluster/program-access';
import { ADMINISTRATOR, openToRoot } from '../cluster/start-cluster';
import type { Turns } from '../turns';

const VMID = 300;
const AT = `/nodes/pve2/qemu/${VMID}`;
const FORM = {
  name: 'shop',
  cores: '2',
  memory: '1024',
  scsi0: 'local-lvm:1',
  net0: 'virtio=BC:24:11:0A:0B:0C,bridge=vmbr0',
  description: 'made by hand',
};

/** What somebody else does with the guest that is being adopted. */
export type AdoptionAct = (admin: Administrator, cluster: Lab) => Promise<boolean>;

const edit =
  (form: Record<string, string>): AdoptionAct =>
  admin =>
    admin('PUT', `${AT}/config`, form);
const gone: AdoptionAct = admin => admin('DELETE', AT);
const thenMade =
  (form: Record<string, string>): AdoptionAct =>
  async (admin, cluster) =>
    (await gone(admin, cluster)) && admin('POST', '/nodes/pve2/qemu', { vmid: String(VMID), ...form });

export const adoptionActs: Record<string, AdoptionAct> = {
  'renames it': edit({ name: 'customer-db' }),
  'gives it cores': edit({ cores: '7' }),
  'gives it a disk': edit({ scsi7: 'shared:1' }),
  'writes another description': edit({ description: 'somebody else wrote this' }),
  'locks it': (_, { world }) => {
    const guest = world.guests[VMID];
    if (guest) guest.config['lock'] = 'backup';
    return Promise.resolve(guest !== undefined);
  },
  'moves it': admin => admin('POST', `${AT}/migrate`, { target: 'pve1' }),
  'makes a template of it': admin => admin('POST', `${AT}/template`),
  'deletes it': gone,
  'deletes it and makes another one': thenMade({ name: 'customer-db', scsi0: 'local-lvm:2' }),
  'deletes it and makes one of the same shape': thenMade(FORM),
  'adopts it for another owner': async (_, cluster) =>
    (await adopt(cluster, { owner: 'team/else' })).code === 0,
};

/** How the guest is named to the adoption: by its number, or by the state of a tool that holds it and another one. */
export type Way = 'number' | 'state';

const BESIDE = 303;
const STATE = JSON.stringify({
  version: 4,
  resources: [
    held('shop', { vm_id: VMID, name: FORM.name, mac_addresses: ['BC:24:11:0A:0B:0C'] }),
    held('beside', { vm_id: BESIDE, name: 'beside' }),
  ],
});

function held(name: string, attributes: object): object {
  const type = 'proxmox_virtual_environment_vm';
  return { mode: 'managed', type, name, instances: [{ attributes }] };
}

function adopt({ simulator }: Lab, { owner = 'team/lab', way = 'number' }: { owner?: string; way?: Way }) {
  const { id, secret } = ADMINISTRATOR;
  const who = owner === 'team/lab' ? {} : { PVE_TOKEN_ID: id, PVE_TOKEN_SECRET: secret };
  const which = way === 'state' ? ['--from-state', '-'] : [String(VMID)];
  const line = ['adopt', ...which, '--yes', '--form', 'json', '--owner', owner, '--cluster', 'lab'];
  return runLine(line, { ...programAccess(simulator), ...who }, way === 'state' ? STATE : '');
}

/**
 * Requests whose answer no act changes: before one of them and before the next is the same moment. Nor do the tasks that
 * ended count: they are read for a destroy that failed, after the guest's last reading.
 */
const SAME =
  /^GET (?:\/version|\/access\/permissions|\/cluster\/(?:options|status|tasks)|\/nodes\/\w+\/qemu)$/;

/** A machine that somebody made by hand. `hasUuid`: as PVE gives one; an old one has none. */
async function prepared(cluster: Lab, hasUuid: boolean): Promise<World> {
  cluster.simulator.reset(openToRoot(labWorld()));
  const admin = administratorOf(cluster);
  const form = { vmid: String(VMID), ...FORM };
  if (!(await admin('POST', '/nodes/pve2/qemu', form))) throw new Error('the guest was not made');
  await admin('POST', '/nodes/pve1/qemu', { vmid: String(BESIDE), name: 'beside' });
  if (!hasUuid) await admin('PUT', `${AT}/config`, { delete: 'smbios1' });
  return structuredClone(cluster.world);
}

/** A cluster for adoptions, before each of whose requests somebody else may act. */
export async function adoptionStage(way: Way = 'number') {
  let before: ((line: string) => Promise<void>) | undefined;
  const cluster = await lab({
    taskMs: 0,
    before: async ({ method, path, user }) => {
      if (user !== ADMINISTRATOR.id) await before?.(`${method} ${path}`);
    },
  });

  /** Adopts, and somebody does this before request number `k`: what went wrong, or undefined when there was no such request. */
  const adoptWith = async (world: World, act: AdoptionAct, k: number): Promise<string[] | undefined> => {
    cluster.simulator.reset(openToRoot(structuredClone(world)));
    let seen = 0;
    let line: string | undefined;
    let was: Guest | undefined;
    let read: Guest | undefined;
    let isAsked = false;
    before = async asked => {
      if (SAME.test(asked)) return;
      const isDue = seen++ === k;
      if (isDue) {
        line = asked;
        await act(administratorOf(cluster), cluster);
        was = structuredClone(cluster.world.guests[VMID]);
      }
      if (line !== undefined && asked.includes(`/qemu/${VMID}/`)) isAsked = true;
      if (asked.endsWith(`/${VMID}/pending`)) read ??= structuredClone(cluster.world.guests[VMID]);
    };
    const ran = await adopt(cluster, { way });
    before = undefined;
    if (line === undefined) return undefined;
    const found = await judged(cluster, { ran, was, read, isAsked, way });
    return found.map(text => `before ${line} (${k}): ${text}`);
  };

  return {
    /** What goes wrong when somebody else does this before request 0, 1, 2 and so on. `count`: how often it was done. */
    faultsOf: async (
      act: AdoptionAct,
      {
        hasUuid = true,
        turns: { first, step } = { first: 0, step: 1 },
      }: { hasUuid?: boolean; turns?: Turns } = {},
    ) => {
      const world = await prepared(cluster, hasUuid);
      const faults: string[] = [];
      for (let count = 0; ; count += 1) {
        const found = await adoptWith(world, act, first + count * step);
        if (found === undefined) return { faults, count };
        faults.push(...found);
      }
    },
    close: () => cluster.close(),
  };
}

const REMEDY =
  /run (?:this|adopt) again|take the entry out of the state|lists no guest|name it as the image|program of that owner/i;

interface Adopted {
  ran: Awaited<ReturnType<typeof adopt>>;
  /** The guest as the act left it. */
  was: Guest | undefined;
  /** The guest as the program was made of it. */
  read: Guest | undefined;
  /** Whether the adoption asked for the guest after the act: what comes later it cannot know. */
  isAsked: boolean;
  way: Way;
}

async function judged(
  cluster: Lab,
  { ran: { code, out, said }, was, read, isAsked, way }: Adopted,
): Promise<string[]> {
  const now = cluster.world.guests[VMID];
  const isMarked = isOurs(now);
  const isSame = sameGuest(now, read);
  // a state may hold templates: they are told, and are no failure
  const isToldAsTemplate = way === 'state' && said.includes('is not adopted: it is a template');
  const marks = Object.values(cluster.world.guests).filter(guest => isOurs(guest));
  return [
    ...(isMarked && !isSame ? [`the mark is on another guest (${said})`] : []),
    ...(marks.length !== (isMarked ? 1 : 0) + (way === 'state' ? 1 : 0)
      ? [`${marks.length} guests have the mark: ${said}`]
      : []),
    ...(was && now && withoutMark(was) !== withoutMark(now) ? ['more than the mark was written'] : []),
    ...(isAsked && code === 0 && !isMarked && !isOurs(was) && now !== undefined && isSame && !isToldAsTemplate
      ? [`it said all is well, and there is no mark: ${said}`]
      : []),
    ...(code !== 0 && !/VM 300/.test(said) ? [`it does not name the guest: ${said}`] : []),
    ...(code !== 0 && !REMEDY.test(said) ? [`no remedy: ${said}`] : []),
    ...(isAsked && code === 0 && isMarked ? await outOfStep(cluster, out) : []),
    ...brokenInvariants(cluster.simulator.sim),
  ];
}

/** A run that went well, and whose machine is as its program says. */
async function outOfStep({ simulator }: Lab, program: string): Promise<string[]> {
  const { code, out } = await runLine(['plan', '--check', '--spec', '-'], programAccess(simulator), program);
  return code === 0 ? [] : [`the program that was printed changes it: ${out}`];
}

const isOurs = (guest: Guest | undefined): boolean =>
  (guest?.config['description'] ?? '').includes('"o":"team/lab"');

/** What PVE writes at the birth of a guest is another one's: its uuid, and when it was made. */
function sameGuest(one: Guest | undefined, other: Guest | undefined): boolean {
  return one?.config['meta'] === other?.config['meta'] && one?.config['vmgenid'] === other?.config['vmgenid'];
}

function withoutMark({
  config: { description = '', tags: _, digest: __, smbios1 = '', ...rest },
}: Guest): string {
  const others = smbios1.split(',').filter(part => !part.startsWith('uuid='));
  return JSON.stringify([rest, others, description.replace(/\n?<!-- pvr:.*-->\n?$/, '').trimEnd()]);
}
