import { Live } from '../../reconciler/walk/live';

const web = {
  id: 'web',
  image: { blank: true },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
};
const leaves = { PROXMOX_MACHINE: 'web', PROXMOX_ENTRY: 'e-never' };
const guests = ({ simulator }: Live): string[] =>
  Object.values(simulator.world.guests).flatMap(({ config }) => config['name'] ?? []);

it('an entry of Terraform that was never applied destroys nothing of what files made', () =>
  Live.with(async live => {
    expect(await live.people('reconcile', [web])).toMatchObject({ code: 0 });
    live.writes();
    const { code, said } = await live.do('destroy', leaves);
    expect(code).toBe(0);
    expect(said).toMatch(/no Terraform state holds guest \d+ .*: its mark names none\./);
    expect(said).toContain('pve-reconciler destroy web');
    expect(live.writes()).toEqual([]);
    expect(guests(live)).toContain('web');
  }));

it('an entry destroys what files made, once it has applied it', () =>
  Live.with(async live => {
    expect(await live.people('reconcile', [web])).toMatchObject({ code: 0 });
    expect(await live.do('apply', { ...leaves, PROXMOX_SPEC: JSON.stringify(web) })).toMatchObject({
      code: 0,
    });
    expect(await live.do('destroy', leaves)).toMatchObject({ code: 0 });
    expect(guests(live)).not.toContain('web');
  }));

it.each([
  ['a name that is none', { PVE_SOURCE: '!' }],
  ['a file that is not there', { PVE_SOURCE_FILE: '/nowhere/source' }],
])('the destroy of an entry reads no source, which it has no use for: %s', async (_, given) =>
  Live.with(async live => {
    expect(await live.do('apply', { ...leaves, PROXMOX_SPEC: JSON.stringify(web) })).toMatchObject({
      code: 0,
    });
    const byHand = await live.do('destroy', { ...leaves, ...given, PROXMOX_ENTRY: '' });
    expect(byHand).toMatchObject({ code: 2, said: expect.stringContaining('PVE_SOURCE') as string });
    expect(await live.do('destroy', { ...leaves, ...given })).toMatchObject({ code: 0 });
    expect(guests(live)).not.toContain('web');
  }),
);
