import { applyEvent } from '../../../simulator/events/apply';
import { ask, askToEnd } from '../../support/cluster/ask';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  node: 'pve1',
  image: { template: 'ubuntu-22.04', clone: 'full' },
  power: 'stopped',
  timeouts: { create: '1s' },
};
const other = { ...web, id: 'other', name: 'other' };
const OUTAGES = 5;
const VERBS = ['plan', 'status', 'gc'];

let lab: CliLab;
afterEach(() => lab.close());

const quorum = (quorate: boolean): void => applyEvent(lab.simulator.sim, { kind: 'quorum', quorate });
const locked = () => Object.values(lab.world.guests).filter(({ config }) => config['lock'] === 'clone');

/** Loses the quorum while a clone is made, until the run gives up. `isReached`: the moment, by what it has made so far. */
async function outage(
  isReached: (made: Record<string, string>) => boolean,
  running: Promise<unknown>,
): Promise<void> {
  const before = Object.keys(lab.world.guests);
  const made = () => Object.values(lab.world.guests).find(({ vmid }) => !before.includes(String(vmid)));
  for (;;) {
    const there = made();
    if (there && isReached(there.config)) break;
    await new Promise(setImmediate);
  }
  quorum(false);
  await running;
  quorum(true);
}

/** What each verb says of a guest. */
async function told(vmid: number, want: object = web): Promise<string[]> {
  const lines = await Promise.all(
    VERBS.map(async verb => {
      const { stdout, stderr } = await lab.people(verb, [want]);
      return (stdout + stderr).split('\n').filter(line => line.includes(`guest ${vmid} on pve1 is`));
    }),
  );
  return lines.flat();
}

/** The two commands of the remedy, as root carries them out on the node. */
async function unlockAndDestroy(vmid: number): Promise<void> {
  applyEvent(lab.simulator.sim, { kind: 'lock', vmid, lock: '' });
  const { exitstatus } = await askToEnd(lab.simulator, 'DELETE', `/nodes/pve1/qemu/${vmid}`);
  expect(exitstatus).toBe('OK');
}

test('five outages while a machine is cloned: each leftover is named, and what is said removes it', async () => {
  lab = await lineLab({ taskMs: 300 });
  for (let n = 0; n < OUTAGES; n += 1) await outage(() => true, lab.people('reconcile', [web]));
  const left = locked().map(({ vmid }) => vmid);
  expect(left).toHaveLength(OUTAGES);
  for (const vmid of left) {
    const lines = await told(vmid);
    expect(lines).toHaveLength(VERBS.length);
    for (const line of lines) expect(line).toContain(`qm unlock ${vmid}, then qm destroy ${vmid} --purge`);
  }
  for (const verb of ['plan', 'status']) {
    const json = JSON.parse((await lab.people(verb, [web], ['--json'])).stdout) as { leftovers: object[] };
    expect(json.leftovers.map(each => (each as { vmid: number }).vmid)).toEqual(left);
  }
  for (const vmid of left) await unlockAndDestroy(vmid);
  expect(await told(left[0]!)).toEqual([]);
  expect((await lab.people('reconcile', [{ ...web, timeouts: {} }])).code).toBe(0);
  expect(lab.guests('web')).toHaveLength(1);
});

test('a part with the mark of a machine that left: plan, status and gc name the machine', async () => {
  lab = await lineLab({ taskMs: 300 });
  await outage(({ description = '' }) => description.includes('pvr:'), lab.people('reconcile', [web]));
  const { vmid } = locked()[0]!;
  const lines = await told(vmid, other);
  expect(lines).toHaveLength(VERBS.length);
  for (const line of lines) expect(line).toContain('is a part of machine web of team/lab');
  await unlockAndDestroy(vmid);
  expect(await told(vmid, other)).toEqual([]);
});

describe('not named', () => {
  const placeholder = (lab: CliLab): void => {
    const { guests } = lab.world;
    const config = { lock: 'clone', description: ' qmclone temporary file' };
    guests[777] = { ...structuredClone(guests[9000]!), vmid: 777, node: 'pve1', config };
  };

  test('a locked guest of which no clone of this user tells', async () => {
    lab = await lineLab();
    placeholder(lab);
    expect(await told(777)).toEqual([]);
  });

  test('a clone that somebody makes meanwhile', async () => {
    lab = await lineLab({ taskMs: 3000 });
    const cloning = ask(lab.simulator, 'POST', '/nodes/pve1/qemu/9000/clone', {
      params: { newid: 777, full: 1 },
    });
    while (lab.world.guests[777] === undefined) await new Promise(setImmediate);
    const { stdout, stderr } = await lab.people('gc', [other]);
    expect(stdout + stderr).not.toContain('777');
    await cloning;
  });

  test('a leftover that is removed between the listing and the look at it', async () => {
    lab = await lineLab({
      before: ({ path }) => {
        if (path === '/nodes/pve1/qemu/777/pending') delete lab.world.guests[777];
        return Promise.resolve();
      },
    });
    placeholder(lab);
    expect(await lab.people('gc', [other])).toMatchObject({ code: 0, stdout: 'no orphan was found.\n' });
    expect(lab.world.guests[777]).toBeUndefined();
  });
});
