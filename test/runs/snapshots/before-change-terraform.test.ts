import { tokenOf } from '../../../reconciler/plan/shown/token';
import { Live } from '../../reconciler/walk/live';

const web = {
  id: 'web',
  image: { blank: true },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
};
const guarded = { ...web, snapshotBeforeChange: true };
const takenIn = ({ simulator }: Live) =>
  Object.values(simulator.world.guests).find(({ config }) => config['name'] === 'web')!.snapshots;

/** Plans and applies as Terraform does: the apply reads no more than it must. */
async function apply(live: Live, spec: object): Promise<void> {
  const PROXMOX_SPEC = JSON.stringify(spec);
  const planned = await live.ask('observe', { 'spec.web': PROXMOX_SPEC, 'entry.web': 'e1' });
  const told = JSON.parse(planned.out) as Record<string, string>;
  const PROXMOX_TOKEN = told['web.token'] ?? '';
  expect(PROXMOX_TOKEN).not.toBe('');
  expect(await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC, PROXMOX_TOKEN })).toMatchObject({
    code: 0,
  });
}

it('an apply of Terraform without the field closes one whose change failed', () =>
  Live.with(async live => {
    await apply(live, web);
    const effect = { kind: 'answer', status: 403, text: 'Permission check failed' } as const;
    const path = '/nodes/*/qemu/*/config';
    const fault = live.simulator.faults.add({ methods: ['PUT', 'POST'], path, effect });
    await expect(apply(live, { ...guarded, memory: '2Gi' })).rejects.toThrow();
    live.simulator.faults.remove(fault);
    expect(takenIn(live)['before-change-1']?.description).toMatch(/"z":1/);
    await apply(live, { ...web, memory: '3Gi' });
    expect(takenIn(live)['before-change-1']?.description).toMatch(/"z":2/);
    await apply(live, { ...guarded, memory: '4Gi' });
    expect(Object.keys(takenIn(live))).toEqual(['before-change-2']);
  }));

it('what goes with a newer one is in the answer and the token; what came since stops the apply', () =>
  Live.with(async live => {
    await apply(live, { ...guarded, memory: '1Gi' });
    await apply(live, { ...guarded, memory: '2Gi' });
    const PROXMOX_SPEC = JSON.stringify({ ...guarded, memory: '3Gi' });
    const told = async (): Promise<{ losses: unknown; PROXMOX_TOKEN: string }> => {
      const { out } = await live.ask('observe', { 'spec.web': PROXMOX_SPEC, 'entry.web': 'e1' });
      const answer = JSON.parse(out) as Record<string, string>;
      const { losses } = JSON.parse(answer['web.diff'] ?? '{}') as { losses?: unknown };
      return { losses, PROXMOX_TOKEN: answer['web.token'] ?? '' };
    };
    const { losses, PROXMOX_TOKEN } = await told();
    expect(losses).toEqual({ volumes: [], snapshots: [{ name: 'before-change-1' }] });
    expect(tokenOf(PROXMOX_TOKEN).losses).toEqual(['before-change-1']);
    // the same guard under another name, as somebody may give it in the gap: nobody was told of that one
    const snapshots = takenIn(live);
    const { 'before-change-1': named } = snapshots;
    snapshots['before-change-9'] = named!;
    delete snapshots['before-change-1'];
    const refused = await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC, PROXMOX_TOKEN });
    expect(refused).toMatchObject({
      code: 3,
      said: expect.stringContaining(
        'changed since the plan: the apply would also take before-change-9',
      ) as string,
    });
    expect(Object.keys(snapshots)).toEqual(['before-change-9']);
    const again = await told();
    expect(
      await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC, PROXMOX_TOKEN: again.PROXMOX_TOKEN }),
    ).toMatchObject({ code: 0 });
    expect(Object.keys(takenIn(live))).toEqual(['before-change-10']);
  }));

it('what comes while an apply waits for a lock is judged as well: it was in no plan that was shown', () =>
  Live.with(async live => {
    const scratch = { name: 'scratch', size: '1G', storage: 'local-lvm', onRemove: 'delete' };
    await apply(live, { ...web, disks: [...web.disks, scratch] });
    const { world } = live.simulator;
    const vmid = Object.values(world.guests).find(({ config }) => config['name'] === 'web')!.vmid;
    const PROXMOX_SPEC = JSON.stringify(web);
    const { out } = await live.ask('observe', { 'spec.web': PROXMOX_SPEC, 'entry.web': 'e1' });
    const { 'web.token': PROXMOX_TOKEN = '' } = JSON.parse(out) as Record<string, string>;
    expect(tokenOf(PROXMOX_TOKEN).losses).toEqual([expect.stringContaining(`vm-${vmid}-disk-1`)]);
    world.guests[vmid]!.config['lock'] = 'backup';
    live.simulator.ledger.reset();
    const applied = live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC, PROXMOX_TOKEN });
    const isWaiting = () =>
      live.simulator.ledger.entries().some(({ path }) => path.endsWith('/status/current'));
    while (!isWaiting()) await new Promise(setImmediate);
    // a restore brings what the guest was, with volumes of other names
    const renamed = <T>(held: T): T =>
      JSON.parse(JSON.stringify(held).replaceAll(`vm-${vmid}-disk-1`, `vm-${vmid}-disk-7`)) as T;
    world.volumes = renamed(world.volumes);
    const { lock: _, ...config } = renamed(world.guests[vmid]!.config);
    world.guests[vmid]!.config = config;
    expect(await applied).toMatchObject({
      code: 3,
      said: expect.stringMatching(/changed since the plan: the apply would also take .*disk-7/) as string,
    });
    expect(world.guests[vmid]!.config['scsi1']).toContain(`vm-${vmid}-disk-7`);
  }));

it('one that somebody gave another name is his, and stays', () =>
  Live.with(async live => {
    await apply(live, { ...guarded, memory: '1Gi' });
    await apply(live, { ...guarded, memory: '2Gi' });
    const snapshots = takenIn(live);
    snapshots['mine'] = snapshots['before-change-1']!;
    delete snapshots['before-change-1'];
    await apply(live, { ...guarded, memory: '3Gi' });
    expect(Object.keys(takenIn(live)).sort()).toEqual(['before-change-1', 'mine']);
  }));
