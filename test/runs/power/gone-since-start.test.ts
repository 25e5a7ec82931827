import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';

const web: Json = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }],
};
const ISO = 'shared:iso/debian-12.9.0-amd64-netinst.iso';
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 0, as: 'root' });
  expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());
const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
const change = async (fields: Json) => errorsOf(await cluster.run(desired([{ ...web, ...fields }])));
const sent = () => writes(cluster.simulator).filter(line => !line.endsWith('/ticket'));

// A guest that runs has what it was started with, also where that is gone by now: after a stop it would not start again.
describe('a machine is not stopped for a restart where what it would start with is gone', () => {
  it.each([
    [
      'the ISO in its drive',
      'ide2',
      'shared:iso/gone.iso,media=cdrom',
      "ide2 is shared:iso/gone.iso, which storage 'shared' does not have",
    ],
    [
      'its hook script',
      'hookscript',
      'local:snippets/gone.sh',
      "hookscript is local:snippets/gone.sh, which storage 'local' does not have",
    ],
  ])('%s', async (_, key, text, said) => {
    guest().config[key] = text;
    const errors = await change({ cpu: { cores: 2 } });
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
    // what needs no restart is done
    expect(await change({ tags: ['a'] })).toEqual([]);
  });

  it('as the spec has it, with a remedy that the spec can follow', async () => {
    expect(await change({ cdrom: ISO })).toEqual([]);
    cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => volid !== ISO);
    const [said] = await change({ cdrom: ISO, cpu: { cores: 2 } });
    expect(said).toContain('Bring the file back, or say another one in the spec. Then run again.');
    expect(guest().running).not.toBeNull();
    expect(await change({ cdrom: 'none', cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });

  it('and is restarted where all of it is there', async () => {
    guest().config['ide2'] = `${ISO},media=cdrom`;
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });
});
