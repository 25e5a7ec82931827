import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Program } from '../../../reconciler/adopt/program';
import { FOLDER_FORMS } from '../../../reconciler/adopt/text/forms';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';

const machine = (index: number, fields: object = {}): Program['machines'][number] => ({
  json: {
    ...{ id: `web-${index}`, vmid: 100 + index, adopt: true, description: `No. ${index} "\${a} %{b}"` },
    ...{ cpu: { cores: 2, type: 'host' }, memory: '2Gi', osType: 'linux', onBoot: true, agent: true },
    disks: [{ name: 'root', size: `${index + 1}Gi`, storage: 'local-lvm' }],
    networks: [{ name: 'lan', bridge: 'vmbr0', macAddress: `BC:24:11:00:00:0${index}` }],
    ...fields,
  },
  unmanaged: [],
});
const program: Program = {
  owner: 'team/lab',
  cluster: { name: 'lab' },
  machines: [
    ...[0, 1, 2, 3, 4].map(index => machine(index)),
    ...[machine(5, { localtime: true }), machine(6, { onBoot: false })],
    machine(7, { id: 'odd', networks: [], options: { args: '-no-reboot' }, usb: [{ host: '1-2' }] }),
  ],
};

describeEachEngine('a program of several files in HCL', engine => {
  test('says each machine as it is, with tables for those that are alike', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hcl-'));
    try {
      const files = FOLDER_FORMS['hcl']!(program);
      expect([...files.keys()].sort()).toEqual(['main.tf', 'others.tf', 'web.tf']);
      expect(files.get('web.tf')).toContain('{ for id, row in {');
      for (const [name, text] of files)
        writeFileSync(path.join(folder, name), text.replace(/\nmodule "[^]*$/, ''));
      const told = execFileSync(engine.path, ['console'], {
        cwd: folder,
        input:
          'base64encode(jsonencode({ for id, x in local.machines : id => merge(try(local.defaults, {}), x) }))\n',
        encoding: 'utf8',
        env: environmentFor(engine),
      });
      const machines: unknown = JSON.parse(Buffer.from(told.trim().slice(1, -1), 'base64').toString());
      expect(machines).toEqual(
        Object.fromEntries(program.machines.map(({ json: { id, ...rest } }) => [id, rest])),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
