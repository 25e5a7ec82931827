import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desiredJson } from '../../support/cluster/lab';
import { daemonLab, until } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped' };
const db = { ...web, id: 'db' };

test('with --prune, the folder of a stack in the place of a file is refused: it leaves out what only Terraform knows', async () => {
  const lab = await daemonLab([web, db]);
  try {
    const daemon = lab.start({ prune: true });
    const there = () => [...lab.guests('web'), ...lab.guests('db')].length;
    await until(there, count => count === 2);
    const stack = join(lab.folder, 'stack');
    mkdirSync(join(stack, 'proxmox'), { recursive: true });
    const json = desiredJson([web, { ...db, memory: { $unknown: 'var.memory' } }], { pollFloor: '10ms' });
    writeFileSync(join(stack, 'proxmox', 'lab.json'), JSON.stringify(json));
    symlinkSync(stack, `${lab.file}.link`);
    renameSync(`${lab.file}.link`, lab.file);
    const [told] = await until(
      () => daemon.lines.filter(({ message }) => /^(?:Bad desired state|Destroyed)/.test(message)),
      lines => lines.length > 0 || there() < 2,
    );
    expect(there()).toBe(2);
    const why = '--prune cannot be used with the folder of a stack';
    expect(told).toMatchObject({ level: 'error', error: expect.stringContaining(why) as string });
    // the last good state stays the one that counts
    lab.want([web]);
    await until(there, count => count === 1);
  } finally {
    await lab.close();
  }
});
