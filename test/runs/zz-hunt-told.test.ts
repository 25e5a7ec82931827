import { ActsOnce } from '../support/cluster/acts-once';
import type { CliLab } from '../support/processes/cli';
import { lineLab } from '../support/runs/line-lab';

/** What a hunt for harm has found: each test says what is told today, and not what should be. */

const web = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  agent: true,
  networks: [{ name: 'lan', ipv4: 'dhcp' }],
};
const somebody = new ActsOnce();
let there: CliLab;
beforeEach(async () => {
  there = await lineLab({ timeScale: 50, before: somebody.asked });
});
afterEach(() => there.close());
const guest = () => there.guests('web')[0]!;

test.each([
  ['the bridge of docker', '172.17.0.1/16', 'docker0'],
  ['an IPv6 address of its card', '2001:db8::7/64', 'eth0'],
])('an apply takes %s for the address that it waits for, before DHCP answers', async (_, first, name) => {
  const cards = (lease: string[]): void => {
    const mac = (/virtio=([^,]+)/.exec(guest().config['net0'] ?? '')?.[1] ?? '').toLowerCase();
    const early = name === 'eth0' ? [first] : [];
    guest().running!.cards = [
      { name: 'eth0', mac, addresses: [...early, ...lease] },
      { name: 'docker0', mac: '02:42:00:00:00:01', addresses: name === 'eth0' ? [] : [first] },
    ];
  };
  somebody.before(/^GET .*\/agent\/network-get-interfaces/, () => Promise.resolve(cards([])));
  const { told } = await there.observe({ web }, {}, { 'reads.web': 'ipAddresses' });
  const env = { PROXMOX_READS: 'ipAddresses' };
  const done = await there.apply(web, { token: told['web.token'] ?? '', env });
  expect(done).toMatchObject({ code: 0, stderr: expect.not.stringContaining('WARNING') as string });
  const address = first.replace(/\/.*/, '');
  const addresses = async (): Promise<string[]> =>
    JSON.parse(
      (await there.facts('web', { required: 'ipAddresses' })).told['ipAddresses'] ?? '[]',
    ) as string[];
  expect(await addresses()).toEqual([address]);
  cards(['10.1.2.3/8']);
  expect(await addresses()).toEqual(['10.1.2.3', address]);
  guest().system.agent = false;
  expect(await addresses()).toEqual([address]);
});

test.each(['io-error', 'internal-error', 'guest-panicked', 'paused'])(
  'a guest that stands still (%s) is told as running, ready and in sync',
  async qmp => {
    expect((await there.people('reconcile', [web])).code).toBe(0);
    guest().running!.qmp = qmp;
    expect(await there.people('plan', [web], ['--check'])).toMatchObject({ code: 0 });
    expect(await there.people('reconcile', [web])).toMatchObject({ code: 0 });
    const { stdout } = await there.people('status', [web], ['-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      machines: {
        web: {
          phase: 'Running',
          powerState: qmp === 'paused' ? 'paused' : 'running',
          conditions: [{ type: 'Ready', status: 'True', message: 'is as Proxmox runs it' }, {}, {}, {}],
        },
      },
    });
  },
);
