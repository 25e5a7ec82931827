import { Live } from '../../reconciler/walk/live';

const blank = { id: 'web', image: { blank: true } };
const disks = [{ name: 'root', size: '1G', storage: 'local-lvm' }];
const web = { ...blank, disks };
const guestOf = ({ simulator }: Live) =>
  Object.values(simulator.world.guests).find(({ config }) => config['name'] === 'web')!;
const ofTerraform = (name: string) => ({
  PROXMOX_MACHINE: 'web',
  PROXMOX_SNAPSHOT: JSON.stringify({ machine: 'web', name, description: 'mine' }),
});

it.each<[string, string, string, (live: Live) => Promise<unknown>]>([
  [
    'one that a person took with snapshot create',
    'clean',
    'Terraform did not take it',
    live => live.people('snapshot', [web], {}, ['create', 'web', 'clean']),
  ],
  [
    'one that was taken before a change',
    'before-change-1',
    'was taken before a change of the machine',
    live => live.people('reconcile', [{ ...web, memory: '2Gi', snapshotBeforeChange: true }]),
  ],
])('Terraform refuses %s, and leaves it', (_, name, why, take) =>
  Live.with(async live => {
    expect(await live.people('reconcile', [web])).toMatchObject({ code: 0 });
    expect(await take(live)).toMatchObject({ code: 0 });
    const before = guestOf(live).snapshots[name];
    expect(before).toBeDefined();
    const description = before?.description;
    live.writes();
    const { PROXMOX_SNAPSHOT } = ofTerraform(name);
    const plan = await live.ask('observe', { [`snapshot.web.${name}`]: PROXMOX_SNAPSHOT });
    expect(plan.out).toContain(why);
    const { code, said } = await live.do('apply', ofTerraform(name));
    expect(code).not.toBe(0);
    expect(said).toContain(why);
    expect(said).toContain(`pve-reconciler snapshot delete web ${name}`);
    await live.do('destroy', { PROXMOX_MACHINE: 'web', PROXMOX_SNAPSHOT: name });
    expect(live.writes()).toEqual([]);
    expect(guestOf(live).snapshots[name]?.description).toBe(description);
  }),
);

it('Terraform knows again one of its own whose answer was lost', () =>
  Live.with(async live => {
    expect(await live.people('reconcile', [web])).toMatchObject({ code: 0 });
    expect(await live.do('apply', ofTerraform('clean'))).toMatchObject({ code: 0 });
    live.writes();
    expect(await live.do('apply', ofTerraform('clean'))).toMatchObject({ code: 0 });
    expect(live.writes()).toEqual([]);
  }));
