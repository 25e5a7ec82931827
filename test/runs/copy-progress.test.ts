import { imageServer, qcow2, sha256 } from '../support/cluster/image-server';
import { desiredJson, labWorld, type Json } from '../support/cluster/lab';
import { programAccess } from '../support/cluster/program-access';
import { startCluster } from '../support/cluster/start-cluster';
import { runLine } from '../reconciler/walk/live';

const disk = qcow2(2 ** 31);
/** Longer than it takes until anybody reads a log. */
const TASK_MS = 4_500;

const root = (storage: string): Json => ({ disks: [{ name: 'root', storage, size: '4Gi' }] });
const blank = { node: 'pve1', image: { blank: true } };
const before: Json[] = [
  { ...blank, id: 'moved', power: 'stopped', ...root('local-lvm') },
  { ...blank, id: 'mirrored', ...root('local-lvm') },
  { ...blank, id: 'walker', pin: true },
];
const after = (url: string): Json[] => [
  { ...before[0], ...root('shared') },
  { ...before[1], ...root('shared') },
  { ...before[2], node: 'pve2' },
  { ...blank, id: 'copy', image: { template: 9000, clone: 'full' }, power: 'stopped' },
  {
    ...blank,
    id: 'loaded',
    image: { url, checksum: sha256(disk) },
    power: 'stopped',
    disks: [{ name: 'root', storage: 'local-lvm' }],
  },
];

/** A run whose tasks take long, seen on a terminal or by a program. */
async function longRun(flags: string[], isTTY: boolean, most = Infinity) {
  const images = await imageServer({ '/debian.qcow2': disk });
  const quick = await startCluster({ world: labWorld() });
  const { world } = quick;
  // one disk: its copy takes most of the clone's time
  delete world.guests[9000]?.config['ide2'];
  const ran = (simulator: typeof quick, machines: Json[], words: string[] = [], terminal = {}) =>
    runLine(
      ['reconcile', '--spec', '-', ...words],
      programAccess(simulator),
      JSON.stringify(desiredJson(machines)),
      terminal,
    );
  expect(await ran(quick, before)).toMatchObject({ code: 0 });
  await quick.close();
  const slow = await startCluster({ world, taskMs: TASK_MS });
  try {
    const { code, said } = await ran(slow, after(images.url('/debian.qcow2')).slice(0, most), flags, {
      isTTY,
    });
    const logs = slow.ledger.entries().filter(({ path }) => path.endsWith('/log'));
    return { code, said, logs: logs.length };
  } finally {
    await slow.close();
    await images.close();
  }
}

const COPIES: readonly [machine: string, does: RegExp][] = [
  ['moved', /moving scsi0 to shared/],
  ['mirrored', /moving scsi0 to shared/],
  ['walker', /migrating to pve2/],
  ['copy', /cloning VM 9000 to VM \d+ on pve1/],
  ['loaded', /downloading http\S+/],
  ['loaded', /creating VM \d+ on pve1/],
];

test('on a terminal the live line of a long copy says how much of it is done', async () => {
  const { code, said } = await longRun([], true);
  expect(code).toBe(0);
  for (const [machine, does] of COPIES)
    expect(said).toMatch(
      new RegExp(`^(?:\\u001b\\S+)*${machine}: ${does.source}[^\\n]*, \\d+ % done\\)$`, 'm'),
    );
});

test('a program reads it as lines of JSON; one that reads text gets none, and no log is read for it', async () => {
  const [json, text] = await Promise.all([longRun(['--json'], false, 1), longRun([], false, 1)]);
  const lines = json.said.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Json]));
  const percents = lines.filter(({ event, machine }) => event === 'percent' && machine === 'moved');
  expect(percents.length).toBeGreaterThan(0);
  expect(percents[0]).toMatchObject({ level: 'info', percent: expect.any(Number) });
  expect(text).toMatchObject({ code: 0, logs: 0 });
  expect(text.said).not.toContain('% done');
});
