import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Image } from '../../../constructs';
import { terminal } from '../../../scripts/pictures/terminal.mjs';
import { root } from '../../repository/copied-tree';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { labStack } from '../../support/terraform/lab-stack';

const FILE = join(root, 'docs', 'pictures', 'review.svg');
const SAYS =
  'A review: old is destroyed with its disk, db waits for a restart, web changes while it runs, new is made.';
const machine = (vmid: number, memory: `${number}Gi`, tags: string[] = []) => ({
  ...{ image: Image.blank(), node: 'pve1', vmid, memory, tags },
  disks: [{ name: 'root', size: '32Gi', storage: 'local-lvm' }],
});

describeEachEngine('the picture of a review', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine, { name: 'shop' });
  });
  afterAll(() => lab.close());

  test('is the one of a real plan', async () => {
    const db = machine(10001, '4Gi');
    await lab.synth(labStack({ old: machine(10000, '2Gi'), db, web: machine(10002, '2Gi', ['front']) }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const web = machine(10002, '2Gi', ['front', 'shop']);
    await lab.synth(labStack({ db: { ...db, memory: '8Gi' }, web, new: machine(10003, '2Gi') }));
    await lab.planned();
    const plan = (await lab.run('show', '-json', 'plan.bin')).text;
    const { stdout } = await run(['review'], {}, plan);
    // who a new machine is differs each time
    const same = stdout.replaceAll(/^ +(identity|tags): (?!front).*\n/gm, '');
    const drawn = terminal('terraform show -json saved.plan | pve-reconciler review', same, SAYS);
    if (process.env['PICTURES']) writeFileSync(FILE, drawn);
    expect(existsSync(FILE) && readFileSync(FILE, 'utf8')).toBe(drawn);
  });
});
