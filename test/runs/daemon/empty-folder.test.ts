import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

const manifest = (name: string): string => `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${name} }
spec: { name: ${name}, node: pve1, memory: 536870912, powerState: "Off" }
`;

let lab: DaemonLab;
afterEach(() => lab.close());

test.each(['lost+found', '.git'])(
  'with --prune: what was in a folder that has only %s now is not destroyed, until the folder is gone',
  async left => {
    lab = await daemonLab([]);
    const machines = join(lab.folder, 'machines');
    const team = join(machines, 'team');
    mkdirSync(team, { recursive: true });
    writeFileSync(join(machines, 'web.yaml'), manifest('web'));
    writeFileSync(join(team, 'db.yaml'), manifest('db'));
    const daemon = lab.start(
      { spec: [], manifests: [machines], prune: true },
      { PROXMOX_DEFAULT_CLUSTER: 'lab' },
    );
    await until(
      () => [lab.guests('web').length, lab.guests('db').length],
      counts => counts.join() === '1,1',
    );
    // as where what is mounted at a folder goes
    renameSync(team, join(lab.folder, 'away'));
    mkdirSync(join(team, left), { recursive: true });
    const [told] = await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.length > 0 || lab.guests('db').length === 0,
    );
    expect(lab.guests('db')).toHaveLength(1);
    expect(told).toMatchObject({
      machine: 'db',
      remedy: expect.stringContaining(`nothing is in ${team}, so that what was mounted there may be away`),
    });
    rmSync(team, { recursive: true });
    await until(
      () => lab.guests('db').length,
      count => count === 0,
    );
    expect(lab.guests('web')).toHaveLength(1);
  },
);

test('with --prune: a folder that Git keeps empty holds nothing back', async () => {
  lab = await daemonLab([]);
  const machines = join(lab.folder, 'machines');
  mkdirSync(join(machines, 'staging'), { recursive: true });
  writeFileSync(join(machines, 'staging', '.gitkeep'), '');
  writeFileSync(join(machines, 'web.yaml'), manifest('web'));
  writeFileSync(join(machines, 'db.yaml'), manifest('db'));
  lab.start({ spec: [], manifests: [machines], prune: true }, { PROXMOX_DEFAULT_CLUSTER: 'lab' });
  await until(
    () => [lab.guests('web').length, lab.guests('db').length],
    counts => counts.join() === '1,1',
  );
  rmSync(join(machines, 'db.yaml'));
  await until(
    () => lab.guests('db').length,
    count => count === 0,
  );
});
