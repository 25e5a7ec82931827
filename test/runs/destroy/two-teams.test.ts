import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { daemonLab, until } from '../../support/daemon/daemon-lab';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(each => rmSync(each, { recursive: true, force: true })));

/** A folder of manifests, by its last two names. */
function folderOf(names: string, machine: string): string {
  const root = mkdtempSync(join(tmpdir(), 'teams-'));
  folders.push(root);
  const folder = join(root, names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${machine}.yaml`),
    `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${machine} }
spec: { name: ${machine}, node: pve1, memory: 536870912, powerState: "Off" }
`,
  );
  return folder;
}

describe('two folders of one owner, by command', () => {
  let cluster: Lab;
  let a: string;
  let b: string;
  const line = (verb: string, folder: string, ...more: string[]) =>
    runLine(
      [verb, '--manifests', folder, ...more],
      { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' },
      '',
    );
  const names = () => Object.values(cluster.world.guests).map(({ config }) => config['name']);
  beforeEach(async () => {
    cluster = await lab();
    [a, b] = [folderOf('team-a/machines', 'web'), folderOf('team-b/machines', 'db')];
    expect(await line('reconcile', a)).toMatchObject({ code: 0 });
    expect(await line('reconcile', b)).toMatchObject({ code: 0 });
  });
  afterEach(() => cluster.close());

  it('gc --yes of one leaves those of the other, and says whose they are', async () => {
    const { out, code } = await line('gc', a, '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(/^db: .*left alone: source "team-b\/machines" wrote it last/m);
    expect((await line('plan', a)).said).toContain('Source "team-b/machines" wrote it last');
    expect(names()).toEqual(expect.arrayContaining(['web', 'db']));
  });

  it.each(['gc', 'plan'])('the command that %s names takes them, once somebody agrees', async verb => {
    const { out, said } = await line(verb, a);
    const [, words = ''] = /: pve-reconciler (gc [^,]*)(?:, which .*)?\.$/m.exec(out + said) ?? [];
    expect(words).toBe(`gc --yes --source team-b/machines --manifests ${a}`);
    const asked: string[] = [];
    const answer = (question: string) => (asked.push(question), 'y');
    const env = { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
    expect(await runLine(words.split(' '), env, '', { answer })).toMatchObject({ code: 0 });
    expect(asked).toEqual([expect.stringContaining('1 machine that nothing asks for')]);
    expect(names()).not.toContain('db');
  });

  it('the question of a destroy by name says that another source wrote it last', async () => {
    const asked: string[] = [];
    const answer = (question: string) => (asked.push(question), 'n');
    const env = { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
    await runLine(['destroy', 'db', '--manifests', a], env, '', { answer });
    await runLine(['destroy', 'db', '--manifests', b], env, '', { answer });
    const words = 'Source "team-b/machines" wrote it last, and may want it still.';
    expect(asked.map(question => question.includes(words))).toEqual([true, false]);
    expect(names()).toContain('db');
  });

  it('destroy --yes by name leaves what another source wrote last, until that is named', async () => {
    const refused = await line('destroy', a, 'db', '--yes');
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.said).toContain(`source "team-b/machines" wrote guest`);
    expect(refused.said).toContain(`the same line with --source 'team-b/machines'`);
    expect(names()).toContain('db');
    expect(await line('destroy', a, 'db', '--yes', '--source', 'team-b/machines')).toMatchObject({ code: 0 });
    expect(names()).not.toContain('db');
  });

  it('destroy --yes by name takes what a desired state that is given names, and what its own source wrote', async () => {
    const moved = folderOf('team-c/machines', 'web');
    expect(await line('destroy', moved, 'web', '--yes')).toMatchObject({ code: 0 });
    writeFileSync(join(b, 'db.yaml'), readFileSync(join(b, 'db.yaml'), 'utf8').replaceAll('db', 'other'));
    expect(await line('destroy', b, 'db', '--yes')).toMatchObject({ code: 0 });
    expect(names().filter(name => name === 'web' || name === 'db')).toEqual([]);
  });

  it('destroy by name leaves what another source wrote after the question', async () => {
    const answer = () => {
      const db = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'db')!;
      db.config['description'] = db.config['description']!.replace('team-b/machines', 'team-d/machines');
      return 'y';
    };
    const env = { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
    const end = await runLine(['destroy', 'db', '--manifests', a], env, '', { answer });
    expect(end).toMatchObject({ code: 3 });
    expect(end.said).toContain('its mark names source "team-d/machines" now');
    expect(names()).toContain('db');
  });

  it('gc --yes --source of that one takes them, once it is told how many', async () => {
    const asked = await line('gc', a, '--source', 'team-b/machines', '--yes');
    expect(asked).toMatchObject({ code: 2, said: expect.stringContaining('add --count 1') as string });
    expect(await line('gc', a, '--source', 'team-b/machines', '--yes', '--count', '2')).toMatchObject({
      code: 2,
      said: expect.stringContaining('there is 1 machine to destroy') as string,
    });
    expect(names()).toContain('db');
    expect(await line('gc', a, '--source', 'team-b/machines', '--yes', '--count', '1')).toMatchObject({
      code: 0,
    });
    expect(names()).not.toContain('db');
  });

  it('the plan of a machine that another source wrote warns, writes nothing for that alone, and a write takes it over', async () => {
    const moved = folderOf('team-c/machines', 'web');
    const planned = await line('plan', moved);
    expect(planned.out).toContain('was last written by source "team-a/machines"');
    expect(planned.out).toContain('0 to change');
    const named = folderOf('team-a/machines', 'web');
    expect((await line('plan', named)).out).not.toContain('last written by');
    const [file] = ['web.yaml'].map(name => join(moved, name));
    writeFileSync(
      file!,
      `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: web }
spec: { name: web, node: pve1, memory: 1073741824, powerState: "Off" }
`,
    );
    expect(await line('reconcile', moved)).toMatchObject({ code: 0 });
    const web = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web');
    expect(web?.config['description']).toContain('"so":"team-c/machines"');
  });
});

const web = { id: 'web', node: 'pve1', image: { blank: true } };
const db = { id: 'db', node: 'pve2', image: { blank: true } };

describe('a daemon that prunes', () => {
  const ORPHAN = 'Orphan: nothing asks for it any more';
  const toldOf = async (daemon: ReturnType<Awaited<ReturnType<typeof daemonLab>>['start']>) =>
    (
      await until(
        () => daemon.said(ORPHAN),
        lines => lines.length > 0,
      )
    )[0];

  test.each([
    [
      'another source wrote',
      { PVE_SOURCE: 'team-a' },
      { PVE_SOURCE: 'team-b' },
      /source "team-a" wrote it last/,
    ],
    ['it has never seen asked for, by the name of a place', {}, {}, /has never seen it asked for/],
  ])('leaves what %s, and says so', async (_, first, second, says) => {
    const there = await daemonLab([web, db]);
    try {
      const one = there.start({}, first);
      await until(
        () =>
          [...there.guests('web'), ...there.guests('db')].filter(({ running }) => running !== null).length,
        count => count === 2,
      );
      await one.stop();
      there.want([web]);
      const daemon = there.start({ prune: true }, second);
      expect(await toldOf(daemon)).toMatchObject({
        machine: 'db',
        remedy: expect.stringMatching(says) as string,
      });
      expect(there.guests('db')).toHaveLength(1);
    } finally {
      await there.close();
    }
  });

  test('leaves what another source wrote between its look and its destroy, and says so anew', async () => {
    const told = (): unknown[] => daemon?.said(ORPHAN) ?? [];
    let daemon: ReturnType<typeof there.start> | undefined = undefined;
    const there = await daemonLab([web, db], {
      before: ({ path }) => {
        const [guest] = told().length > 0 ? there.guests('db') : [];
        if (guest === undefined || !path.includes(`/qemu/${guest.vmid}/`)) return;
        guest.config['description'] = guest.config['description']!.replace('"team-a"', '"team-b"');
      },
    });
    try {
      daemon = there.start({ prune: true }, { PVE_SOURCE: 'team-a' });
      await until(
        () =>
          [...there.guests('web'), ...there.guests('db')].filter(({ running }) => running !== null).length,
        count => count === 2,
      );
      there.want([web]);
      const [first, second] = await until(
        () => daemon!.said(ORPHAN),
        lines => lines.length > 1,
      );
      expect(first).toMatchObject({ machine: 'db', source: 'team-a' });
      expect(second).toMatchObject({
        ...{ machine: 'db', source: 'team-b' },
        remedy: expect.stringContaining("pve-reconciler gc --yes --source 'team-b' --spec FILE") as string,
      });
      expect(there.guests('db')).toHaveLength(1);
    } finally {
      await there.close();
    }
  });

  test('takes what left while it was down, where its name was given', async () => {
    const there = await daemonLab([web, db]);
    const named = { PVE_SOURCE: 'team-a' };
    try {
      const one = there.start({}, named);
      await until(
        () =>
          [...there.guests('web'), ...there.guests('db')].filter(({ running }) => running !== null).length,
        count => count === 2,
      );
      await one.stop();
      there.want([web]);
      there.start({ prune: true }, named);
      await until(
        () => there.guests('db').length,
        count => count === 0,
      );
    } finally {
      await there.close();
    }
  });
});

describe('two folders whose names a mark cannot hold', () => {
  const long = 'x'.repeat(62);
  it.each([
    ['ä/machines', 'ö/machines'],
    ['本番/machines', '試験/machines'],
    ['prod (eu)/machines', 'prod [eu]/machines'],
    [`a${long}/machines`, `b${long}/machines`],
    ['infra/.machines', 'infra/machines'],
  ])('%s and %s are two sources: gc --yes of one leaves the machine of the other', async (first, second) => {
    const cluster = await lab();
    try {
      const env = { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
      const [a, b] = [folderOf(first, 'web'), folderOf(second, 'db')];
      for (const folder of [a, b])
        expect(await runLine(['reconcile', '--manifests', folder], env, '')).toMatchObject({ code: 0 });
      const { out } = await runLine(['gc', '--yes', '--count', '0', '--manifests', a], env, '');
      expect(out).toMatch(/^db: .*left alone: source ".*" wrote it last/m);
      const [, name = ''] = /left alone: source "(.*)" wrote it last/.exec(out) ?? [];
      // a person may give that name, too
      const named = await runLine(['gc', '--source', name, '--manifests', a], env, '');
      expect(named.out).toMatch(/^db: .*nothing asks for it/m);
      const again = await runLine(['plan', '--manifests', b], env, '');
      expect(again.said).not.toMatch(/^db.*last written by/m);
    } finally {
      await cluster.close();
    }
  });
});
