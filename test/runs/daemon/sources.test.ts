import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { desiredJson } from '../../support/cluster/lab';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };
const db = { id: 'db', node: 'pve2', image: { blank: true } };

let lab: DaemonLab;
afterEach(() => lab.close());

const areThere = (...names: string[]): Promise<unknown> =>
  until(
    () => names.map(name => lab.guests(name).filter(({ running }) => running !== null).length),
    counts => counts.every(count => count === 1),
  );

/** Resolves when so many more rounds have read the cluster. */
async function rounds(daemon: RunningDaemon, count: number): Promise<void> {
  const done = async (): Promise<number> => {
    const pattern = /reconciliation_duration_seconds_count\{controller="cluster"\} (\d+)/;
    return Number(pattern.exec(await daemon.metrics())?.[1] ?? 0);
  };
  const first = await done();
  await until(done, now => now >= first + count);
}

describe('a machine that leaves the desired state', () => {
  test('without --prune: told as an orphan, and left alone', async () => {
    lab = await daemonLab([web, db]);
    const daemon = lab.start();
    await areThere('web', 'db');
    lab.want([web]);
    const [told] = await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.length > 0,
    );
    expect(told).toMatchObject({ machine: 'db', remedy: expect.stringContaining('gc --yes') });
    await rounds(daemon, 4);
    expect(daemon.said('Orphan: nothing asks for it any more')).toHaveLength(1);
    await areThere('web', 'db');
  });

  test('with --prune: destroyed, and no other guest with it', async () => {
    lab = await daemonLab([web, db]);
    const others = Object.keys(lab.simulator.world.guests);
    lab.start({ prune: true });
    await areThere('web', 'db');
    lab.want([web]);
    await until(
      () => lab.guests('db').length,
      count => count === 0,
    );
    await areThere('web');
    expect(Object.keys(lab.simulator.world.guests)).toEqual(expect.arrayContaining(others));
  });

  test('with --prune: a template stays while it has linked clones, which is told, and goes after them', async () => {
    const disks = [{ name: 'root', storage: 'shared', size: '1Gi' }];
    const base = { id: 'base', image: { blank: true }, asTemplate: true, disks };
    const clone = { id: 'clone', image: { machine: 'base' } };
    lab = await daemonLab([base, clone]);
    const daemon = lab.start({ prune: true });
    await areThere('clone');
    lab.want([{ ...clone, image: { template: 9000 } }]);
    await until(
      () => daemon.said('Left alone while linked clones of it stay'),
      lines => lines.some(({ machine }) => machine === 'base'),
    );
    expect(lab.guests('base')).toHaveLength(1);
    lab.want([web]);
    await until(
      () => [...lab.guests('clone'), ...lab.guests('base')].length,
      count => count === 0,
    );
  });

  test('with --prune: of YAML that may be cut short nothing is destroyed, until it ends with a line break', async () => {
    lab = await daemonLab([web, db]);
    const yaml = stringify(desiredJson([web, db]));
    const beginning = yaml.slice(0, yaml.indexOf('  - id: db'));
    const file = `${lab.file}.yaml`;
    writeFileSync(file, yaml);
    const daemon = lab.start({ spec: [file], prune: true });
    await areThere('web', 'db');
    writeFileSync(file, beginning.trimEnd());
    const [told] = await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.length > 0,
    );
    const why = `${file} does not end with a line break, so that a part of it may be missing`;
    expect(told).toMatchObject({ machine: 'db', remedy: expect.stringContaining(why) });
    await rounds(daemon, 4);
    await areThere('web', 'db');
    writeFileSync(file, beginning);
    await until(
      () => lab.guests('db').length,
      count => count === 0,
    );
    await areThere('web');
  });

  test('with --prune: what the desired state reads as existing stays, and the way out is told', async () => {
    lab = await daemonLab([web, db]);
    const daemon = lab.start({ prune: true });
    await areThere('web', 'db');
    lab.write(JSON.stringify({ ...desiredJson([web]), existing: [{ id: 'legacy', name: 'db' }] }));
    const [told] = await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.length > 0,
    );
    expect(told).toMatchObject({ remedy: expect.stringMatching(/not pruned: existing "legacy".* release /) });
    await rounds(daemon, 4);
    await areThere('web', 'db');
  });

  test('with --prune: what a Terraform entry holds stays', async () => {
    lab = await daemonLab([web, db]);
    const daemon = lab.start({ prune: true });
    await areThere('web', 'db');
    const [guest] = lab.guests('db');
    const { description = '' } = guest?.config ?? {};
    if (guest) guest.config['description'] = description.replace('{"v":1,', '{"v":1,"e":"e1",');
    lab.want([web]);
    const [told] = await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.length > 0,
    );
    expect(told).toMatchObject({ machine: 'db', entry: 'e1' });
    await rounds(daemon, 4);
    await areThere('db');
  });
});

describe('with --prune, nothing is destroyed because', () => {
  const breaks: Record<string, () => void> = {
    'the file is gone': () => rmSync(lab.file),
    'the file is no JSON': () => lab.write('{"version": 1, "machines": ['),
    'the file is empty': () => lab.write(''),
    'the file is half written': () => lab.write(JSON.stringify(desiredJson([web, db])).slice(0, 90)),
    'a machine is wrong': () => lab.write(JSON.stringify(desiredJson([web, { id: 'db', cpu: 'many' }]))),
    'one machine is there twice': () => lab.write(JSON.stringify(desiredJson([web, web]))),
  };
  test.each(Object.entries(breaks))('%s', async (_, breakIt) => {
    lab = await daemonLab([web, db]);
    const daemon = lab.start({ prune: true });
    await areThere('web', 'db');
    breakIt();
    const bad = 'Bad desired state: the last good one is kept';
    const [told] = await until(
      () => daemon.said(bad),
      lines => lines.length > 0,
    );
    expect(told).toMatchObject({ level: 'error', error: expect.stringContaining(lab.file) });
    const count = daemon.said(bad).length;
    await rounds(daemon, 4);
    expect(daemon.said(bad)).toHaveLength(count);
    await areThere('web', 'db');
    expect(await daemon.metrics()).toContain('proxmox_operator_sources_good 0');
    lab.want([web]);
    await until(
      () => lab.guests('db').length,
      left => left === 0,
    );
  });
});

const manifest = (name: string, more = ''): string =>
  `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${name} }
spec: { name: ${name}, node: pve1, memory: 536870912${more} }
`;

describe('a folder of manifests', () => {
  test('is read again when a file comes; what is bad is told by file, line and path; one that vanishes takes nothing', async () => {
    lab = await daemonLab([]);
    const folder = join(lab.folder, 'machines');
    mkdirSync(folder);
    const file = (name: string, text: string): void => {
      writeFileSync(join(lab.folder, name), text);
      renameSync(join(lab.folder, name), join(folder, name));
    };
    file('web.yaml', manifest('web'));
    const daemon = lab.start(
      { spec: [], manifests: [folder], prune: true },
      { PROXMOX_DEFAULT_CLUSTER: 'lab' },
    );
    await until(
      () => lab.guests('web').length,
      count => count === 1,
    );
    file('db.yaml', manifest('db'));
    await until(
      () => lab.guests('db').length,
      count => count === 1,
    );
    file('db.yaml', manifest('db', ', nodeName: 7'));
    const bad = 'Bad desired state: the last good one is kept';
    const [told] = await until(
      () => daemon.said(bad),
      lines => lines.length > 0,
    );
    expect(told?.['error']).toMatch(/db\.yaml:4:\d+: .*nodeName/);
    renameSync(folder, `${folder}-away`);
    await until(
      () => daemon.said(bad),
      lines => lines.some(({ error }) => String(error).includes('ENOENT')),
    );
    await rounds(daemon, 4);
    expect([lab.guests('web').length, lab.guests('db').length]).toEqual([1, 1]);
  });
});

test.each([
  ['a wrong file', async () => lab.write('{'), {}, /no valid JSON/],
  [
    'no credentials',
    async () => undefined,
    { PVE_TOKEN_ID: '', PVE_TOKEN_SECRET: '' },
    /neither credentials given/,
  ],
  [
    'an address that is none',
    async () => undefined,
    { METRICS_BIND_ADDRESS: 'x' },
    /METRICS_BIND_ADDRESS is no address/,
  ],
  [
    'two wrong settings',
    async () => undefined,
    { RECONCILE_INTERVAL: 'soon', MAX_CONCURRENT_RECONCILES: '0' },
    /RECONCILE_INTERVAL[^]*MAX_CONCURRENT_RECONCILES/,
  ],
])('at the start, %s ends it with a clear error', async (_, prepare, environment, says) => {
  lab = await daemonLab([web]);
  await prepare();
  const daemon = lab.start({}, environment);
  await expect(daemon.ended).rejects.toThrow(says);
  expect(lab.writes()).toEqual([]);
});
