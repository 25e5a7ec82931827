import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { desiredJson, type Json } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped' };
const keep = { ...web, id: 'keep' };
const other = { ...web, id: 'other', node: 'pve2' };

const ORPHAN = 'Orphan: nothing asks for it any more';

let lab: DaemonLab;
afterEach(() => lab.close());

const place = (name: string): string => join(lab.folder, `${name}.json`);

/** What a place asks for from now on. */
function ask(name: string, machines: Json[]): void {
  writeFileSync(`${place(name)}.new`, JSON.stringify(desiredJson(machines, { pollFloor: '10ms' })));
  renameSync(`${place(name)}.new`, place(name));
}

const daemonOf = (name: string, interval = '200ms'): RunningDaemon =>
  lab.start({ spec: [place(name)], source: name, prune: true }, { RECONCILE_INTERVAL: interval });

/** The source that the mark of a machine names. */
function sourceOf(id: string): string | undefined {
  const { description = '' } = lab.guests(id)[0]?.config ?? {};
  return /"so":"([^"]*)"/.exec(description)?.[1];
}

const isThere = (id: string): Promise<unknown> =>
  until(
    () => [lab.guests(id).length, sourceOf(id)],
    ([count, source]) => count === 1 && source !== undefined,
  );

/** The very guest of a machine: one that was made anew has another uuid. */
const uuidOf = (id: string): string | undefined => lab.guests(id)[0]?.config['smbios1'];

const named = (id: string, source: string): Promise<unknown> =>
  until(
    () => sourceOf(id),
    name => name === source,
  );

/** Resolves when so many more rounds of each have read the cluster. */
async function rounds(count: number, ...daemons: RunningDaemon[]): Promise<void> {
  const pattern = /reconciliation_duration_seconds_count\{controller="cluster"\} (\d+)/;
  for (const daemon of daemons) {
    const done = async (): Promise<number> => Number(pattern.exec(await daemon.metrics())?.[1] ?? 0);
    const first = await done();
    await until(done, now => now >= first + count);
  }
}

const orphanOf = (daemon: RunningDaemon, source: string): Promise<unknown> =>
  until(
    () => daemon.said(ORPHAN).filter(line => line['machine'] === 'web' && line['source'] === source),
    lines => lines.length > 0,
  );

describe('two daemons of one owner that prune', () => {
  let first: RunningDaemon;
  let second: RunningDaemon;
  let uuid: string | undefined;
  beforeEach(async () => {
    lab = await daemonLab([]);
    ask('team-a', [web, keep]);
    ask('team-b', [other]);
    first = daemonOf('team-a');
    await isThere('web');
    second = daemonOf('team-b');
    await isThere('other');
    uuid = uuidOf('web');
  });

  /** The writes to the guest of a machine from here on. */
  const writesSince = (id: string): (() => string[]) => {
    const before = lab.writes().length;
    const vmid = Object.entries(lab.simulator.world.guests).find(
      ([, { config }]) => config['name'] === id,
    )?.[0];
    return () =>
      lab
        .writes()
        .slice(before)
        .filter(line => line.includes(`/qemu/${vmid}/`));
  };

  test('a machine that moves from the place of one to that of the other stays, and is written once', async () => {
    const writes = writesSince('web');
    // the second one has it before the first one lets it go, as of two checkouts
    ask('team-b', [other, web]);
    await named('web', 'wanted:team-b');
    ask('team-a', [keep]);
    await orphanOf(first, 'wanted:team-b');
    await rounds(6, first, second);
    expect(uuidOf('web')).toBe(uuid);
    expect(writes()).toHaveLength(1);
    expect(sourceOf('web')).toBe('wanted:team-b');
  });

  test('it stays also where both places change at once', async () => {
    await first.stop();
    // what the first one would prune after an interval
    first = daemonOf('team-a', '2s');
    await rounds(1, first);
    ask('team-a', [keep]);
    ask('team-b', [other, web]);
    await rounds(4, first);
    expect([uuidOf('web'), sourceOf('web')]).toEqual([uuid, 'wanted:team-b']);
  });

  test('where both go on asking for it, it is written once, also when they start anew', async () => {
    const writes = writesSince('web');
    ask('team-b', [other, web]);
    await named('web', 'wanted:team-b');
    await rounds(6, first, second);
    await Promise.all([first.stop(), second.stop()]);
    [first, second] = [daemonOf('team-a'), daemonOf('team-b')];
    await rounds(6, first, second);
    expect(writes()).toHaveLength(1);
  });

  test('whoever asked for it by mistake and takes that back does not prune it', async () => {
    ask('team-b', [other, web]);
    await named('web', 'wanted:team-b');
    await rounds(2, second);
    ask('team-b', [other]);
    await orphanOf(second, 'wanted:team-b');
    await second.stop();
    second = daemonOf('team-b');
    await orphanOf(second, 'wanted:team-b');
    await rounds(6, first, second);
    expect(uuidOf('web')).toBe(uuid);
  });

  test('once it is written for another reason it is of its new source, and is pruned by that one alone', async () => {
    ask('team-b', [other, web]);
    await named('web', 'wanted:team-b');
    ask('team-a', [keep]);
    await orphanOf(first, 'wanted:team-b');
    ask('team-b', [other, { ...web, memory: '768Mi' }]);
    await named('web', 'team-b');
    await rounds(4, first);
    expect(uuidOf('web')).toBe(uuid);
    ask('team-b', [other]);
    await until(
      () => lab.guests('web').length,
      count => count === 0,
    );
    expect(first.said(ORPHAN).map(({ source }) => source)).not.toContain('team-a');
  });

  test('the command that its orphan is told with removes it, where both have let it go', async () => {
    ask('team-b', [other, web]);
    await named('web', 'wanted:team-b');
    // a daemon reads an orphan anew only once it has looked while it was none
    await rounds(2, second);
    ask('team-a', [keep]);
    ask('team-b', [other]);
    await orphanOf(second, 'wanted:team-b');
    await Promise.all([first.stop(), second.stop()]);
    const told = second.said(ORPHAN).findLast(line => line['machine'] === 'web');
    expect(told?.['remedy']).toContain("gc --yes --source 'wanted:team-b' --spec FILE");
    ask('both', [keep, other]);
    const words = ['gc', '--yes', '--source', 'wanted:team-b', '--count', '1', '--spec', place('both')];
    expect(await runLine(words, programAccess(lab.simulator), '')).toMatchObject({ code: 0 });
    expect(['web', 'keep', 'other'].map(id => lab.guests(id).length)).toEqual([0, 1, 1]);
  });
});

test('a plan and a reconcile by hand write nothing for another source alone', async () => {
  lab = await daemonLab([web]);
  const daemon = lab.start({ source: 'team-a' });
  await isThere('web');
  await rounds(3, daemon);
  await daemon.stop();
  const before = lab.writes().length;
  for (const verb of ['plan', 'reconcile']) {
    const words = [verb, '--source', 'team-b', '--spec', lab.file];
    const end = await runLine(words, programAccess(lab.simulator), '');
    expect(end).toMatchObject({ code: 0 });
  }
  expect([lab.writes().slice(before), sourceOf('web')]).toEqual([[], 'team-a']);
});

/** A manifest in a folder, under a name of its own. */
function manifestIn(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const text = `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${name} }
spec: { name: ${name}, node: pve1, memory: 536870912, powerState: "Off" }
`;
  writeFileSync(join(lab.folder, 'new'), text);
  renameSync(join(lab.folder, 'new'), join(folder, `${name}.yaml`));
}

test('a daemon writes nothing for a move between its own places, nor for what a Terraform state holds', async () => {
  lab = await daemonLab([]);
  const [a, b] = [join(lab.folder, 'a'), join(lab.folder, 'b')];
  manifestIn(a, 'web');
  manifestIn(b, 'keep');
  const daemon = lab.start({ spec: [], manifests: [a, b] }, { PROXMOX_DEFAULT_CLUSTER: 'lab' });
  await Promise.all([isThere('web'), isThere('keep')]);
  await rounds(3, daemon);
  const [guest] = lab.guests('keep');
  const { description = '' } = guest?.config ?? {};
  const held = description.replace('{"v":1,', '{"v":1,"e":"e1",').replace(/"so":"[^"]*"/, '"so":"team-c"');
  if (guest) guest.config['description'] = held;
  const before = lab.writes().length;
  renameSync(join(a, 'web.yaml'), join(b, 'web.yaml'));
  await rounds(6, daemon);
  expect([lab.writes().slice(before), sourceOf('keep')]).toEqual([[], 'team-c']);
  expect(sourceOf('web')).toMatch(/\/a$/);
});
