import { runLine } from '../../reconciler/walk/live';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Guest, World } from '../../../simulator/world';
import { administratorOf, type Administrator } from '../cluster/administrator';
import { desired, lab, labWorld, type Lab } from '../cluster/lab';
import { programAccess } from '../cluster/program-access';
import { ADMINISTRATOR, openToRoot } from '../cluster/start-cluster';
import type { Turns } from '../turns';
import { blankMachine } from './blank-machine';

const VMID = 300;
const AT = `/nodes/pve2/qemu/${VMID}`;
const NOTES = 'made by hand  \n\n# two\nask Bert';
const FORM = {
  name: 'shop',
  cores: '2',
  memory: '1024',
  scsi0: 'local-lvm:1',
  tags: 'prod',
  description: NOTES,
};

/** What somebody else does with the guest that is being released. */
export type ReleaseAct = (admin: Administrator, cluster: Lab) => Promise<unknown>;

const edit =
  (form: Record<string, string>): ReleaseAct =>
  admin =>
    admin('PUT', `${AT}/config`, form);
const rewritten =
  (key: string, to: (text: string) => string): ReleaseAct =>
  (admin, { world }) =>
    admin('PUT', `${AT}/config`, { [key]: to(world.guests[VMID]?.config[key] ?? '') });
const gone: ReleaseAct = admin => admin('DELETE', AT);

export const releaseActs: Record<string, ReleaseAct> = {
  'renames it': edit({ name: 'customer-db' }),
  'gives it a disk': edit({ scsi7: 'shared:1' }),
  'writes notes above the mark': rewritten('description', text => `above\n${text}`),
  'writes notes below the mark': rewritten('description', text => `${text}\nbelow  `),
  'writes other notes in place of all': edit({ description: 'somebody else wrote this' }),
  'empties the notes': edit({ delete: 'description' }),
  'adds a tag': rewritten('tags', text => `${text};urgent`),
  'removes all tags': edit({ delete: 'tags' }),
  'changes a letter of the mark': rewritten('description', text => text.replace('"v":1', '"v":x')),
  'locks it': (_, { world }) => {
    const guest = world.guests[VMID];
    if (guest) guest.config['lock'] = 'backup';
    return Promise.resolve();
  },
  'takes a snapshot': admin => admin('POST', `${AT}/snapshot`, { snapname: 'before' }),
  'starts it': admin => admin('POST', `${AT}/status/start`),
  'moves it': admin => admin('POST', `${AT}/migrate`, { target: 'pve1' }),
  'makes a template of it': admin => admin('POST', `${AT}/template`),
  'clones it': admin => admin('POST', `${AT}/clone`, { newid: '301', full: '1' }),
  'deletes it': gone,
  'deletes it and makes another one': async (admin, cluster) => {
    await gone(admin, cluster);
    await admin('POST', '/nodes/pve2/qemu', { vmid: String(VMID), ...FORM });
  },
  'gives it to another owner': (_, { simulator }) =>
    runLine(
      ['owner', 'move', 'team/lab', 'team/else', '--yes', '--cluster', 'lab'],
      asAdministrator(simulator),
    ),
  'releases it too': (_, cluster) => releaseLine(cluster, asAdministrator(cluster.simulator)),
};

function asAdministrator(simulator: Lab['simulator']): Record<string, string> {
  const { id, secret } = ADMINISTRATOR;
  return { ...programAccess(simulator), PVE_TOKEN_ID: id, PVE_TOKEN_SECRET: secret };
}

/** Releases all that the owner of a lab has. */
export function releaseLine(
  { simulator }: Lab,
  env: Record<string, string> = programAccess(simulator),
): ReturnType<typeof runLine> {
  return runLine(['release', '--owner', 'team/lab', '--cluster', 'lab', '--yes'], env);
}

/** A guest that was made by hand and adopted, one of ours that was made, one of another owner, and one of nobody. */
export async function preparedForRelease(cluster: Lab): Promise<World> {
  cluster.simulator.reset(openToRoot(labWorld()));
  const admin = administratorOf(cluster);
  const isMade = await admin('POST', '/nodes/pve2/qemu', { vmid: String(VMID), ...FORM });
  const line = [String(VMID), '--yes', '--form', 'json', '--owner', 'team/lab', '--cluster', 'lab'];
  const { code, said } = await runLine(['adopt', ...line], programAccess(cluster.simulator));
  if (!isMade || code !== 0) throw new Error(`the guest was not made and adopted: ${said}`);
  await cluster.run(desired([{ ...blankMachine, id: 'made', vmid: 310 }]));
  await cluster.run({ ...desired([{ ...blankMachine, id: 'theirs', vmid: 320 }]), owner: 'others' });
  return structuredClone(cluster.world);
}

/** Requests whose answer no act changes: before one of them and before the next is the same moment. */
const SAME = /^GET (?:\/version|\/access\/permissions|\/cluster\/(?:options|status|tasks))$/;

/** A cluster for releases, before each of whose requests somebody else may act. */
export async function releaseStage() {
  let before: ((line: string) => Promise<void>) | undefined;
  const cluster = await lab({
    taskMs: 0,
    before: async ({ method, path, user }) => {
      if (user !== ADMINISTRATOR.id) await before?.(`${method} ${path}`);
    },
  });

  /** Releases, and somebody does this before request number `k`: what went wrong, or undefined when there was no such request. */
  const releaseWith = async (world: World, act: ReleaseAct, k: number): Promise<string[] | undefined> => {
    cluster.simulator.reset(openToRoot(structuredClone(world)));
    cluster.simulator.ledger.reset();
    let seen = 0;
    let line: string | undefined;
    let was: World['guests'] = {};
    const wrote: string[] = [];
    before = async asked => {
      if (!asked.startsWith('GET')) wrote.push(asked);
      if (SAME.test(asked) || seen++ !== k) return;
      line = asked;
      await act(administratorOf(cluster), cluster);
      was = structuredClone(cluster.world.guests);
    };
    const ran = await releaseLine(cluster);
    before = undefined;
    if (line === undefined) return undefined;
    return judged(cluster, ran, { was, wrote }).map(text => `before ${line} (${k}): ${text}`);
  };

  return {
    /** What goes wrong when somebody else does this before request 0, 1, 2 and so on. `count`: how often it was done. */
    faultsOf: async (act: ReleaseAct, { first, step }: Turns) => {
      const world = await preparedForRelease(cluster);
      const faults: string[] = [];
      for (let count = 0; ; count += 1) {
        const found = await releaseWith(world, act, first + count * step);
        if (found === undefined) return { faults, count };
        faults.push(...found);
      }
    },
    close: () => cluster.close(),
  };
}

const REMEDY = /run this again|remove the tag pvr-|name that owner|nothing is left to do/i;

interface Seen {
  /** The guests as the act left them. */
  was: World['guests'];
  /** What the release wrote, or tried to. */
  wrote: string[];
}

function judged(
  cluster: Lab,
  { code, said }: Awaited<ReturnType<typeof runLine>>,
  { was, wrote }: Seen,
): string[] {
  const now = cluster.world.guests;
  const changed = Object.keys({ ...was, ...now }).filter(
    vmid => bare(was[Number(vmid)]) !== bare(now[Number(vmid)]),
  );
  const mine = now[VMID];
  const foreign = [320, 301].filter(vmid => JSON.stringify(was[vmid]) !== JSON.stringify(now[vmid]));
  const isClean = !isOurs(mine);
  const most = (vmid: number): boolean => wrote.filter(line => line.includes(`/${vmid}/`)).length <= 2;
  return [
    ...changed.map(
      vmid =>
        `more than the mark of ${vmid} was written: ${bare(was[Number(vmid)])} ${bare(now[Number(vmid)])}`,
    ),
    ...foreign.map(vmid => `${vmid} is not its owner's, and was written`),
    ...(isOurs(now[310]) ? [`the other machine was not released: ${said}`] : []),
    ...(code === 0 && !isClean ? [`it said all is well, and the mark is there: ${said}`] : []),
    ...(code !== 0 && code !== 3 && (code !== 2 || isOurs(mine)) ? [`exit code ${code}: ${said}`] : []),
    ...(code === 3 && !/3[01]0/.test(said) ? [`it does not name the guest: ${said}`] : []),
    ...(code === 3 && !REMEDY.test(said) ? [`no remedy: ${said}`] : []),
    ...wrote.filter(line => !/^PUT .*\/qemu\/(?:300|310)\/config$/.test(line)),
    // the second one where the first was refused for what somebody changed
    ...(most(300) && most(310) ? [] : [`more writes than needed: ${wrote.join(', ')}`]),
    ...brokenInvariants(cluster.simulator.sim),
  ];
}

/** Whether a mark of the owner, or any mark that cannot be read, or a tag of ours stands on a guest. */
export function isOurs(guest: Guest | undefined): boolean {
  const { description = '', tags = '' } = guest?.config ?? {};
  return (
    /<!-- pvr:.*"o":"team\/lab"/.test(description) ||
    (tags.includes('pvr-') && !description.includes('"o":"team/else"'))
  );
}

/** A guest without our mark and our tag, to the byte. */
function bare(guest: Guest | undefined): string | undefined {
  if (guest === undefined) return undefined;
  const { config, ...rest } = guest;
  const { description = '', tags = '', digest: _, ...others } = config;
  const notes = description.replace(/^<!-- pvr:[^\n]*-->\n?|\n?<!-- pvr:[^\n]*-->/g, '');
  const left = tags.split(';').filter(tag => tag !== '' && !tag.startsWith('pvr-'));
  return JSON.stringify({ ...rest, others, notes, left });
}
