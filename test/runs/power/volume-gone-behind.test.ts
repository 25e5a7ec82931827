import { writes } from '../../support/cluster/end-state';
import type { Json } from '../../support/cluster/lab';
import { runningWeb } from '../../support/runs/running-web';

let web: Awaited<ReturnType<typeof runningWeb>>;
afterEach(() => web.cluster.close());
const sent = () => writes(web.cluster.simulator).filter(line => !line.endsWith('/ticket'));
const change = (fields: Json) => web.change({ bios: 'uefi', ...fields });
const lose = (slot: string) => {
  const { world } = web.cluster;
  const [file] = web.guest().config[slot]!.split(',');
  world.volumes = world.volumes.filter(({ volid }) => volid !== file);
};

// On a storage of files a guest has a deleted volume as long as it runs (behaviour.md, section 13.10).
describe('a machine that runs with a volume that somebody deleted', () => {
  beforeEach(async () => (web = await runningWeb({ bios: 'uefi' })));

  it.each([
    ['its disk', 'scsi0', 'disk "root" (scsi0)'],
    ['its EFI disk', 'efidisk0', 'disk efidisk0'],
  ])('is not stopped for a restart: %s', async (_, slot, said) => {
    lose(slot);
    const errors = await change({ cpu: { cores: 2 } });
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(errors[0]).toContain('once it is stopped, what is on that is lost for good');
    expect(errors[0]).toContain('copy out of the guest what is to be kept');
    expect(web.guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
    // what stops nothing is done
    expect(await change({ tags: ['a'] })).toEqual([]);
  });

  it('is not stopped to be a template', async () => {
    lose('scsi0');
    expect(await change({ asTemplate: true })).toEqual([expect.stringContaining('It still runs')]);
    expect(web.guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
  });

  it('does not go back to a snapshot', async () => {
    const snapshots = [{ name: 'clean' }];
    expect(await change({ snapshots })).toEqual([]);
    web.cluster.simulator.ledger.reset();
    lose('scsi0');
    expect(await change({ snapshots, revertTo: 'clean' })).toEqual([
      expect.stringContaining('It still runs'),
    ]);
    expect(web.guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
  });

  it('is made anew after a destroy, as it is told', async () => {
    lose('scsi0');
    const [said] = await change({ cpu: { cores: 2 } });
    expect(said).toContain('pve-reconciler destroy web, then apply, makes the machine anew');
    await web.cluster.destroy('web');
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(web.guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });
});

it('a machine whose volumes are there becomes a template, and is looked at once', async () => {
  web = await runningWeb();
  expect(await web.change({ asTemplate: true })).toEqual([]);
  expect(web.guest().config['template']).toBe('1');
});
