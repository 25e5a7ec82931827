import path from 'node:path';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { mkdirSync } from 'node:fs';

const MADE = { cores: '2', memory: '1024', scsi0: 'local-lvm:4', net0: 'virtio,bridge=vmbr0' };

describeEachEngine('the program in HCL', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
    mkdirSync(lab.folder, { recursive: true });
  });
  afterEach(() => lab.close());

  const ours = (...args: string[]) => run(args, lab.access);
  const at = (file: string): string => path.join(lab.folder, file);

  test('adopts what is there by an apply that writes its marks and nothing else; the next plan is empty', async () => {
    await lab.byHand('POST', '/nodes/pve1/qemu', { vmid: '300', name: 'shop', ...MADE, tags: 'a;b' });
    await lab.byHand('POST', '/nodes/pve2/qemu', {
      vmid: '301',
      name: 'shop',
      ...MADE,
      usb1: 'spice',
      sockets: '2',
    });
    lab.writes();
    const [printed, module] = [
      await ours(
        'adopt',
        '100',
        '300',
        '301',
        '--owner',
        'shop',
        '--cluster',
        'lab',
        '--form',
        'hcl',
        '--out',
        at('main.tf'),
      ),
      await ours('module', at('modules/proxmox')),
    ];
    expect([printed.code, module.code, lab.writes()]).toEqual([0, 0, []]);
    expect((await lab.run('init', '-input=false')).code).toBe(0);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.writes().sort()).toEqual([
      'PUT /nodes/pve1/qemu/300/config',
      'PUT /nodes/pve2/qemu/301/config',
      'PUT /nodes/pve3/qemu/100/config',
    ]);
    expect(lab.world.guests[301]?.config['usb1']).toBe('spice');
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });
});
