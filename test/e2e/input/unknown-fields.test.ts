import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliLab, desiredText, run } from '../../support/processes/cli';

const web = { id: 'web', image: { blank: true }, description: { $unknown: '${db.id}' } };
const db = { id: 'db', image: { blank: true } };

test('what only Terraform knows is told by the run that writes, and not by those that read', async () => {
  const lab = await cliLab();
  const folder = mkdtempSync(path.join(tmpdir(), 'stack-'));
  try {
    mkdirSync(path.join(folder, 'proxmox'));
    writeFileSync(path.join(folder, 'proxmox', 'lab.json'), desiredText([web, db]));
    const over = (verb: string) => run([verb, '--spec', folder], lab.access);
    expect(await over('plan')).toMatchObject({ code: 0, stderr: '' });
    expect(await over('status')).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await over('reconcile');
    expect(code).toBe(0);
    expect(stderr.match(/^.*only Terraform knows.*$/gm)).toEqual([
      'web: only Terraform knows description: this run leaves the machine out',
    ]);
    expect([lab.guests('web').length, lab.guests('db').length]).toEqual([0, 1]);
  } finally {
    rmSync(folder, { recursive: true });
    await lab.close();
  }
});
