import { Image, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { labStack, SMALL } from '../../support/terraform/lab-stack';

// The rows play after each other on one stack.
describeEachEngine('a run that fails', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(() => lab.close());

  /** What a person reads last: the text without the engine's frame and line breaks. */
  const plain = (text: string): string => text.replace(/[\s│╷╵]+/g, ' ').trim();

  test('half-way: the last lines name machine, step, reason and that running again is safe; the retry completes it', async () => {
    await lab.synth(labStack({ web: SMALL }));
    lab.simulator.faults.add({
      methods: ['POST', 'PUT'],
      path: '/nodes/*/qemu/*/config',
      // an apply that read its machine alone reads all after the first, and tries once more
      count: 2,
      effect: { kind: 'answer', status: 403, text: 'Permission check failed (/vms/10000, VM.Config.Memory)' },
    });
    const failed = await lab.apply();
    expect(failed.code).toBe(1);
    const last = plain(failed.text).slice(-500);
    expect(last).toMatch(/web: FAILED while writing [^:]*memory/);
    expect(last).toContain('Permission check failed (/vms/10000, VM.Config.Memory)');
    expect(last).toMatch(/Running again is safe\.$/);
    const [vmid] = Object.keys(lab.world.guests).filter(id => lab.guest('web')?.vmid === Number(id));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['web']);
    expect(String(lab.guest('web')?.vmid)).toBe(vmid);
    expect(lab.guest('web')?.config['memory']).toBe('1024');
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a task that ends badly: Proxmox says why in the last lines, once', async () => {
    const disks = [{ name: 'root', storage: 'shared' }];
    const db = {
      ...SMALL,
      disks,
      image: Image.fromTemplate('ubuntu-22.04', { clone: 'full' }),
    } as MachineProps;
    await lab.synth(labStack({ web: SMALL, db }));
    const storage = lab.world.storages.find(each => each.storage === 'shared')!;
    const { total } = storage;
    lab.simulator.faults.add({
      path: '/nodes/*/qemu/9000/clone',
      count: 1,
      effect: { kind: 'event', event: { kind: 'storage-full', storage: storage.storage } },
    });
    const failed = await lab.apply();
    storage.total = total;
    expect(failed.code).toBe(1);
    const last = plain(failed.text).slice(-700);
    expect(last).toMatch(
      /db: FAILED while cloning VM 9000 to VM \d+ on pve\d, in full onto shared: .*ended with: /,
    );
    expect(last).toMatch(/Running again is safe\.$/);
    expect(last.split('ended with:')).toHaveLength(2);
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db', 'web']);
  });

  test('a refusal: the plan fails with all of them at once, and nothing is sent', async () => {
    const missing = { ...SMALL, node: 'pve9' };
    await lab.synth(labStack({ web: SMALL, db: SMALL, bad: missing, worse: { ...SMALL, memory: '64Ti' } }));
    lab.writes();
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    expect(plain(text)).toContain("machine bad: the cluster has no node 'pve9'; it has pve1, pve2, pve3.");
    expect(plain(text)).toContain('machine worse: no node can take it');
    expect(plain(text)).not.toContain('machine web:');
    expect(lab.writes()).toEqual([]);
  });

  test('no Proxmox there: the plan fails and says so', async () => {
    const endpoint = lab.access['PVE_ENDPOINT']!;
    lab.access['PVE_ENDPOINT'] = 'https://127.0.0.1:1';
    const { code, text } = await lab.plan();
    lab.access['PVE_ENDPOINT'] = endpoint;
    expect(code).toBe(1);
    expect(plain(text)).toContain('127.0.0.1:1');
  });

  test('what is refused can still be destroyed', async () => {
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(await lab.state()).toEqual([]);
  });
});
