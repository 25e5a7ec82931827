import { program } from '../../../reconciler/commands/command-line';
import { runVerb, type Host } from '../../../reconciler/commands/run-verb';
import { runLine } from '../../reconciler/walk/live';
import { administratorOf, type Administrator } from '../../support/cluster/administrator';
import { desiredJson, lab, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

const AT = '/nodes/pve1/qemu/10000';
const SNAPSHOT = `${AT}/snapshot`;

let cluster: Lab;
let admin: Administrator;
beforeEach(async () => {
  cluster = await lab();
  admin = administratorOf(cluster);
  expect(await cluster.bring(blankMachine)).toEqual([]);
  expect(await admin('POST', SNAPSHOT, { snapname: 'keep' })).toBe(true);
  // Proxmox tells the time of a snapshot in seconds
  cluster.world.guests[10_000]!.snapshots['keep']!.snaptime = 1_700_000_000;
  takeWrites(cluster.simulator);
});
afterEach(() => cluster.close());

/** Runs `snapshot …`; what somebody else does while the question stands comes before the yes. */
async function answered(deed: string, meanwhile: () => Promise<unknown>) {
  const ran = { asked: '', said: '' };
  const host: Host = {
    env: { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    stdin: [JSON.stringify(desiredJson([blankMachine]))],
    stdout: { write: () => true },
    stderr: { write: text => (ran.said += text) },
    ask: async question => {
      ran.asked = question;
      await meanwhile();
      takeWrites(cluster.simulator);
      return 'yes';
    },
  };
  const line = ['snapshot', deed, 'web', 'keep', '--spec', '-'];
  await program(asked => runVerb(asked, host)).parseAsync(line, { from: 'user' });
  return { ...ran, code: host.exitCode, writes: takeWrites(cluster.simulator) };
}

const takeAnew = async (): Promise<void> => {
  expect(await admin('DELETE', `${SNAPSHOT}/keep`)).toBe(true);
  expect(await admin('POST', SNAPSHOT, { snapname: 'keep', description: 'of somebody else' })).toBe(true);
};

test.each(['delete', 'revert'])(
  'snapshot %s: another snapshot of the name, taken after the question, stays',
  async deed => {
    const ran = await answered(deed, takeAnew);
    expect(ran).toMatchObject({ code: 3, writes: [] });
    expect(ran.said).toMatch(
      /VM 10000 has another snapshot 'keep' now, of \S+Z: the question named snapshot keep of 2023-11-14T22:13:20\.000Z\..*Nothing was changed/s,
    );
    expect(cluster.world.guests[10_000]?.snapshots).toHaveProperty('keep');
  },
);

test.each(['delete', 'revert'])(
  'snapshot %s: a machine that went after the question is not made anew',
  async deed => {
    const ran = await answered(deed, async () => expect(await admin('DELETE', AT)).toBe(true));
    expect(ran).toMatchObject({ code: 3, writes: [] });
    expect(Object.keys(cluster.world.guests)).not.toContain('10000');
  },
);

test('a revert without a change in between goes back, and its question tells of the spec', async () => {
  const ran = await answered('revert', () => Promise.resolve());
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.asked).toContain('is lost. Then the machine is brought to its spec. Go on?');
});

test.each(['constructor', 'toString'])('snapshot %s is no subcommand', async word => {
  const input = JSON.stringify(desiredJson([blankMachine]));
  const ran = await runLine(
    ['snapshot', word, 'web', '--spec', '-'],
    programAccess(cluster.simulator),
    input,
  );
  expect(ran).toMatchObject({
    code: 2,
    said: expect.stringContaining(`snapshot needs a subcommand before '${word}'; allowed: list`),
  });
});
