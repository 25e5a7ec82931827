import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/**
 * A machine that was made anew of another image, and a backup of before that somebody brings back: its mark says what the spec
 * wanted then. The spec has not changed since its last apply, so that the machine is not made anew for that.
 */
const from = (template: string, more: Json = {}): Json => ({
  ...{ ...blankMachine, image: { template }, onImageChange: 'rebuild' },
  disks: [{ name: 'root' }],
  ...more,
});
const [FIRST, SECOND] = ['ubuntu-22.04', 'debian-12'];
let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const at = '/nodes/pve1';
const ours = () =>
  Object.values(cluster.world.guests).filter(({ config }) => config['description']?.includes('"m":"web"'));
const somebody = async (path: string, form: Record<string, string>): Promise<void> =>
  expect(await administratorOf(cluster)('POST', `${at}${path}`, form)).toBe(true);
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);

/** Made of the first image and backed up; made anew of the second; and the backup is brought back over it. */
async function restored(first: Json, second: Json): Promise<void> {
  await bring(first);
  await somebody('/vzdump', { vmid: String(ours()[0]!.vmid), storage: 'local' });
  await bring(second);
  const { vmid } = ours()[0]!;
  const archive = cluster.world.volumes.find(({ volid }) => volid.includes('vzdump-qemu'))!.volid;
  await somebody('/qemu', { vmid: String(vmid), archive, force: '1' });
  expect(ours()).toHaveLength(1);
  cluster.simulator.ledger.reset();
}

it('is not made anew by the spec that was applied before; the refusal says how it stays, and how it is made anew', async () => {
  await restored(from(FIRST), from(SECOND));
  const { smbios1 } = ours()[0]!.config;
  const [said = ''] = await cluster.bring(from(SECOND));
  expect(said).toContain('has another vmgenid than at its last apply');
  expect(writes(cluster.simulator)).toEqual([]);
  expect(ours()).toMatchObject([{ config: { smbios1 } }]);
  await bring(from(FIRST));
  expect(ours()[0]!.config['smbios1']).toBe(smbios1);
  await bring(from(SECOND));
  expect(ours()[0]!.config['smbios1']).not.toBe(smbios1);
});

it('stays where the spec is to keep it, and is made anew once that is asked for', async () => {
  await restored(from(FIRST), from(SECOND));
  const { smbios1 } = ours()[0]!.config;
  await bring(from(SECOND, { onImageChange: 'keep' }));
  expect(ours()[0]!.config['smbios1']).toBe(smbios1);
  await bring(from(SECOND));
  expect(ours()[0]!.config['smbios1']).not.toBe(smbios1);
});

it('nor is it made anew for a smaller disk, which the spec has since', async () => {
  const blank = (size: string): Json => ({
    ...{ ...blankMachine, rebuildOn: ['disks'] },
    disks: [{ name: 'root', size, storage: 'local-lvm' }],
  });
  await restored(blank('8G'), blank('4G'));
  const [said = ''] = await cluster.bring(blank('4G'));
  expect(said).toContain('cannot shrink to 4Gi. The guest has another vmgenid');
  expect(writes(cluster.simulator)).toEqual([]);
});
