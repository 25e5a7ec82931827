import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { daemonLab, until } from '../../support/daemon/daemon-lab';

const off = (id: string): Json => ({ id, node: 'pve1', image: { blank: true }, power: 'stopped' });

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'places-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes what an owner wants into a file of its own. */
function put(owner: string, machines: Json[]): string {
  mkdirSync(join(folder, 'in'), { recursive: true });
  const file = join(folder, 'in', `${owner}.json`);
  writeFileSync(file, JSON.stringify({ ...desiredJson(machines), owner }));
  return file;
}

function putManifest(team: string, machine: string): string {
  const place = join(folder, team);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, `${machine}.yaml`),
    `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${machine} }
spec: { name: ${machine}, node: pve1, memory: 536870912, powerState: "Off" }
`,
  );
  return place;
}

describe('by command', () => {
  let cluster: Lab;
  beforeEach(async () => void (cluster = await lab()));
  afterEach(() => cluster.close());

  const run = (...words: string[]) =>
    runLine(words, { ...programAccess(cluster.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' });
  const names = () => Object.values(cluster.world.guests).map(({ config }) => config['name']);
  const markOf = (name: string) =>
    Object.values(cluster.world.guests).find(({ config }) => config['name'] === name)?.config['description'];

  test('one more file changes nothing for the machines of the others', async () => {
    const [a, b] = [put('a', [off('web'), off('old')]), put('b', [off('bee')])];
    expect(await run('reconcile', '--spec', a)).toMatchObject({ code: 0 });
    const both = ['--spec', a, '--spec', b];
    expect((await run('plan', ...both)).out).not.toContain('last written by');
    expect(await run('reconcile', ...both)).toMatchObject({ code: 0 });
    expect(markOf('bee')).toContain('"so":"in/b.json"');
    put('a', [off('web')]);
    expect((await run('plan', ...both)).said).toContain('orphan old: ');
    expect((await run('plan', ...both)).said).not.toContain('wrote it last');
    expect((await run('gc', ...both)).out).toMatch(/^old: .* nothing asks for it\. gc --yes destroys it/m);
    expect(await run('gc', ...both, '--yes', '--count', '1')).toMatchObject({ code: 0 });
    expect(names()).not.toContain('old');
  });

  test('folders of one owner: each machine has its own, in a run of both too', async () => {
    const [a, b] = [putManifest('team-a', 'web'), putManifest('team-b', 'db')];
    expect(await run('reconcile', '--manifests', a, '--manifests', b)).toMatchObject({ code: 0 });
    expect(markOf('web')).toMatch(/"so":"[^"]*\/team-a"/);
    expect(markOf('db')).toMatch(/"so":"[^"]*\/team-b"/);
    expect((await run('gc', '--manifests', a)).out).toMatch(/^db: .*left alone: source ".*\/team-b" wrote/m);
    rmSync(join(b, 'db.yaml'));
    putManifest('team-a', 'db');
    const planned = await run('plan', '--manifests', a, '--manifests', putManifest('team-b', 'third'));
    expect(planned.out).not.toContain('last written by');
  });

  test('a name that was given is that of all', async () => {
    const [a, b] = [put('a', [off('web')]), put('b', [off('bee')])];
    await run('reconcile', '--spec', a, '--spec', b, '--source', 'team');
    for (const name of ['web', 'bee']) expect(markOf(name)).toContain('"so":"team"');
  });
});

test('a daemon that is given one more file prunes what left the first', async () => {
  const there = await daemonLab([off('web'), off('db')]);
  const areThere = () =>
    until(
      () => [...there.guests('web'), ...there.guests('db')].length,
      count => count === 2,
    );
  try {
    const one = there.start();
    await areThere();
    await one.stop();
    const two = there.start({ spec: [put('b', []), there.file], prune: true });
    await until(
      () => two.said('Read the desired state'),
      lines => lines.length > 0,
    );
    there.want([off('web')]);
    await until(
      () => there.guests('db').length,
      count => count === 0,
    );
  } finally {
    await there.close();
  }
});
