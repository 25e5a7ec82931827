import { runLine } from '../../reconciler/walk/live';
import { writes } from '../../support/cluster/end-state';
import { desiredJson, type Json } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { runningWeb } from '../../support/runs/running-web';

let web: Awaited<ReturnType<typeof runningWeb>>;
beforeEach(async () => (web = await runningWeb()));
afterEach(() => web.cluster.close());

const reboot = () => power('reboot');
const power = (verb: string, more: Json = {}) => {
  const root = { name: 'root', size: '1Gi', storage: 'local-lvm' };
  const spec = {
    id: 'web',
    image: { blank: true },
    node: 'pve1',
    shutdownTimeout: '1s',
    disks: [root],
    ...more,
  };
  const access = { PVE_TASK_POLL_INTERVAL: '5ms', PVE_TASK_TIMEOUT: '3s' };
  const around = { ...programAccess(web.cluster.simulator), ...access };
  return runLine(['power', verb, 'web', '--spec', '-'], around, JSON.stringify(desiredJson([spec])));
};
const sent = () => writes(web.cluster.simulator).filter(line => line.includes('/status/'));

// Proxmox shuts the guest down, and starts it in the clean-up behind that: where it does not start, it stays off.
describe('power reboot', () => {
  it.each([
    [
      'an ISO that is gone',
      'ide2',
      'shared:iso/gone.iso,media=cdrom',
      "which storage 'shared' does not have",
    ],
    ['a bridge that is gone', 'net0', 'virtio=BC:24:11:00:00:01,bridge=vmbr9', "on bridge 'vmbr9'"],
    ['a disk whose volume is gone', 'scsi1', 'local-lvm:vm-10000-disk-9,size=1G', 'It still runs'],
  ])(
    'is refused for a machine with %s',
    async (_, key, text, said) => {
      web.guest().config[key] = text;
      const ran = await reboot();
      expect(ran.said).toContain(said);
      expect({ code: ran.code, isOn: web.guest().running !== null, sent: sent() }).toEqual({
        code: 3,
        isOn: true,
        sent: [],
      });
    },
    60_000,
  );

  it('looks at nothing where the machine is off, and says what comes first', async () => {
    web.guest().config['net0'] = 'virtio=BC:24:11:00:00:01,bridge=vmbr9';
    web.guest().running = null;
    web.cluster.simulator.ledger.reset();
    const ran = await reboot();
    expect(ran.said).toContain('is off: it takes no reboot. Do power start first.');
    expect({ code: ran.code, sent: sent() }).toEqual({ code: 3, sent: [] });
    const asked = web.cluster.simulator.ledger.entries().map(({ path }) => path);
    expect(asked.filter(path => path.endsWith('/network') || path.endsWith('/content'))).toEqual([]);
  }, 60_000);

  it('is refused without our own ISO, until an apply has uploaded it, as it says', async () => {
    const cloudInit = { userData: '#cloud-config\npackages: [a]\n' };
    expect(await web.change({ cloudInit })).toEqual([]);
    const { world } = web.cluster;
    const isOurs = ({ volid }: { volid: string }): boolean => volid.includes(':iso/pvr-');
    expect(world.volumes.filter(isOurs)).toHaveLength(1);
    world.volumes = world.volumes.filter(volume => !isOurs(volume));
    web.cluster.simulator.ledger.reset();
    const ran = await power('reboot', { cloudInit });
    expect(ran.said).toMatch(/ide0 is shared:iso\/pvr-\S+, which storage 'shared' does not have/);
    expect(ran.said).toContain('run an apply, which uploads it. Then run again.');
    expect({ code: ran.code, isOn: web.guest().running !== null, sent: sent() }).toEqual({
      code: 3,
      isOn: true,
      sent: [],
    });
    expect(await web.change({ cloudInit })).toEqual([]);
    expect(world.volumes.filter(isOurs)).toHaveLength(1);
    expect(await power('reboot', { cloudInit })).toMatchObject({ code: 0 });
    expect(web.guest().running).not.toBeNull();
  }, 60_000);

  it('looks at what waits for the next start', async () => {
    web.guest().pending = { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr9' } as never;
    const ran = await reboot();
    expect(ran.said).toContain("on bridge 'vmbr9'");
    expect(sent()).toEqual([]);
  }, 60_000);
});
