import { runLine } from '../../reconciler/walk/live';
import { writes } from '../../support/cluster/end-state';
import { desiredJson } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { runningWeb } from '../../support/runs/running-web';

let web: Awaited<ReturnType<typeof runningWeb>>;
beforeEach(async () => (web = await runningWeb()));
afterEach(() => web.cluster.close());

const reboot = () => {
  const root = { name: 'root', size: '1Gi', storage: 'local-lvm' };
  const spec = { id: 'web', image: { blank: true }, node: 'pve1', shutdownTimeout: '1s', disks: [root] };
  const access = { PVE_TASK_POLL_INTERVAL: '5ms', PVE_TASK_TIMEOUT: '3s' };
  const around = { ...programAccess(web.cluster.simulator), ...access };
  return runLine(['power', 'reboot', 'web', '--spec', '-'], around, JSON.stringify(desiredJson([spec])));
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

  it('looks at what waits for the next start', async () => {
    web.guest().pending = { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr9' } as never;
    const ran = await reboot();
    expect(ran.said).toContain("on bridge 'vmbr9'");
    expect(sent()).toEqual([]);
  }, 60_000);
});
