import { runLine, type Ran } from '../../reconciler/walk/live';
import type { World } from '../../../simulator';
import { brittleProxy } from '../../support/api/brittle-proxy';
import { bootAll } from '../../support/cluster/boot-all';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

const VMID = 700;
const web = (more: Json = {}): Json => ({ ...blankMachine, vmid: VMID, power: 'stopped', ...more });
const runs = { power: 'running', forceStop: true, shutdownTimeout: '1s' };
const snapshot = { name: 'clean' };

/** What a command finds, what it is, and what is wanted then. */
interface Way {
  had: Json;
  words: string[];
  want: Json[];
}

const WAYS: Record<string, Way> = {
  'destroy of one that runs': { had: web(runs), words: ['destroy', 'web', '--yes'], want: [web(runs)] },
  gc: { had: web(), words: ['gc', '--yes', '--count', '1'], want: [] },
  'a change that restarts': {
    had: web({ ...runs, memory: '1Gi' }),
    words: ['reconcile'],
    want: [web({ ...runs, memory: '2Gi', restart: 'whenNeeded' })],
  },
  'a start': { had: web(), words: ['reconcile'], want: [web({ power: 'running' })] },
  'power stop': { had: web(runs), words: ['power', 'stop', 'web'], want: [web({ power: 'unmanaged' })] },
  'snapshot create': { had: web(), words: ['snapshot', 'create', 'web', 'second'], want: [web()] },
  'snapshot delete': {
    had: web({ snapshots: [snapshot] }),
    words: ['snapshot', 'delete', 'web', 'clean', '--yes'],
    want: [web()],
  },
  'snapshot revert': {
    had: web({ snapshots: [snapshot] }),
    words: ['snapshot', 'revert', 'web', 'clean', '--yes'],
    want: [web()],
  },
};

/** A world in which a machine was made. */
async function made(had: Json): Promise<World> {
  const cluster = await lab();
  try {
    expect(errorsOf(await cluster.run(desired([had])))).toEqual([]);
    bootAll(cluster);
    return structuredClone(cluster.world);
  } finally {
    await cluster.close();
  }
}

interface Done {
  ran: Ran;
  /** What became of the guest. */
  guest: 'gone' | 'off' | 'runs';
  /** All that was answered. */
  seen: string[];
}

/** Runs a command whose endpoint refuses connections for a moment after so many answers. */
async function awayAfter(
  world: World,
  { words, want }: Way,
  { after, act }: { after: number; act: (cluster: Lab) => void },
): Promise<Done> {
  const cluster = await lab({ world: structuredClone(world) });
  const { PVE_CA_BUNDLE: _, ...access } = programAccess(cluster.simulator);
  const proxy = await brittleProxy(cluster.simulator, { after, act: () => act(cluster) });
  try {
    const env = { ...access, PVE_ENDPOINT: proxy.url, PVE_TASK_POLL_INTERVAL: '5ms' };
    const ran = await runLine([...words, '--spec', '-'], env, JSON.stringify(desiredJson(want)));
    const { [VMID]: guest } = cluster.world.guests;
    return { ran, guest: guest ? (guest.running ? 'runs' : 'off') : 'gone', seen: proxy.seen };
  } finally {
    await proxy.close();
    await cluster.close();
  }
}

/** Somebody makes the guest his own: nothing of ours is left in it. */
function takeOver({ world }: Lab): void {
  const guest = world.guests[VMID];
  if (!guest) return;
  guest.config['description'] = 'taken over';
  guest.config['smbios1'] = 'uuid=11111111-2222-4333-8444-555555555555';
  delete guest.config['tags'];
}

// with the digest of a reading Proxmox compares; a question to the guest's system changes nothing
const COMPARED = /^GET |\/config$/;

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  let world: World;
  let whole: Done;
  /** How many answers came before each write. */
  let turns: number[];
  beforeAll(async () => {
    world = await made(way.had);
    whole = await awayAfter(world, way, { after: Infinity, act: () => undefined });
    turns = whole.seen.flatMap((request, before) => (COMPARED.test(request) ? [] : [before]));
  });

  it('looks again where the connection of a write is refused, and goes on', async () => {
    expect({ code: whole.ran.code, writes: turns.length > 0 }).toEqual({ code: 0, writes: true });
    for (const after of turns) {
      const { ran, guest, seen } = await awayAfter(world, way, { after, act: () => undefined });
      expect({ after, code: ran.code, guest, next: seen[after] }).toEqual({
        ...{ after, code: 0, guest: whole.guest },
        next: expect.stringMatching(/^GET /),
      });
    }
  });

  it('sends nothing to a guest that somebody took over meanwhile', async () => {
    for (const after of turns) {
      const { seen } = await awayAfter(world, way, { after, act: takeOver });
      const written = seen
        .slice(after)
        .filter(each => each.includes(`/qemu/${VMID}`) && !COMPARED.test(each));
      expect({ after, written }).toEqual({ after, written: [] });
    }
  });
});
