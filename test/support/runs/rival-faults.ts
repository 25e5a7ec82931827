import { setTimeout as sleep } from 'node:timers/promises';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Roll } from '../random/dice';
import { dice } from '../random/dice';
import { foreignWrites, marked } from '../cluster/end-state';
import { numbersBelow } from '../in-parallel';
import type { Json, Lab } from '../cluster/lab';
import { lab } from '../cluster/lab';
import { ask, askToEnd } from '../cluster/ask';

/** A machine of each way to make one. */
export const rivalMachines: Record<string, Json> = {
  'made by clone': {
    id: 'web',
    image: { template: 'ubuntu-22.04' },
    disks: [{ name: 'root', size: '40G' }],
    networks: [{ name: 'lan' }],
  },
  'made from nothing': {
    id: 'web',
    image: { blank: true },
    memory: '64Mi',
    disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  },
};

/** One way to start a run of the machine `web` on a cluster. It gives what the run complained of. */
type StartRun = (cluster: Lab, machine: Json) => Promise<string[] | undefined>;

export interface RivalRound {
  machine: Json;
  runs: number;
  seed: number;
  /** Somebody else's clone is under way, and will be for hours. */
  besideClone: boolean;
  start?: StartRun;
}

/** What went wrong when some runs of one machine began together; empty when there is one machine in the end. */
export async function rivalFaults({ runs, seed, besideClone, machine, start = own }: RivalRound) {
  const roll = dice(seed);
  const cluster = await lab({ seed, taskMs: 5 + roll(60) });
  try {
    if (besideClone) await beginForeignClone(cluster);
    // somebody takes the lowest free ids meanwhile: then the runs do not meet on one id
    const taken = besideClone ? takeIds(cluster, roll) : Promise.resolve();
    const errors = await Promise.all(
      numbersBelow(runs).map(async () => {
        await sleep(roll(25));
        return (await start(cluster, machine)) ?? [];
      }),
    );
    await taken;
    return [...errors.flat(), ...wrongWith(cluster)].map(fault => `seed ${seed}: ${fault}`);
  } finally {
    await cluster.close();
  }
}

const own: StartRun = (cluster, machine) => cluster.bring(machine);

function wrongWith(cluster: Lab): string[] {
  const { world, simulator } = cluster;
  const ours = marked(world, 'web').map(({ vmid }) => vmid);
  const known = [...cluster.others, ...TAKEN, FOREIGN, ...ours];
  const volumes = world.volumes.filter(({ vmid }) => vmid !== undefined && !known.includes(vmid));
  return [
    ...(ours.length === 1 ? [] : [`guests of the machine: ${ours.join(', ') || 'none'}`]),
    ...marked(world, 'web')
      .filter(isUnfinished)
      .map(({ vmid }) => `${vmid} is unfinished`),
    ...volumes.map(({ volid }) => `left over: ${volid}`),
    ...foreignWrites(cluster),
    ...brokenInvariants(simulator.sim),
  ];
}

function isUnfinished({ config }: { config: Record<string, string> }): boolean {
  return config['tags'] === undefined || (config['description'] ?? '').includes('"b":1');
}

const TAKEN = numbersBelow(6).map(index => 10_000 + index);

async function takeIds({ simulator }: Lab, roll: Roll): Promise<void> {
  const begun: Promise<unknown>[] = [];
  for (const vmid of TAKEN) {
    await sleep(roll(30));
    // refused where a run was quicker
    begun.push(askToEnd(simulator, 'POST', '/nodes/pve2/qemu', { form: { vmid: String(vmid) } }));
  }
  // the world is looked at when nothing is half made
  await Promise.all(begun);
}

const FOREIGN = 700;

/** A KiB a second: it does not end while a test runs. */
async function beginForeignClone({ simulator, world }: Lab): Promise<void> {
  const form = { newid: String(FOREIGN), name: 'theirs', full: '1', bwlimit: '1' };
  await ask(simulator, 'POST', '/nodes/pve1/qemu/9001/clone', { form });
  while (world.guests[FOREIGN]?.config['name'] === undefined) await sleep(2);
}
