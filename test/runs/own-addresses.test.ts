import { ActsOnce } from '../support/cluster/acts-once';
import type { CliLab } from '../support/processes/cli';
import { lineLab } from '../support/runs/line-lab';

/** An address that is told is one of the machine's own cards, and of the family that its spec says. */

const DOCKER = { name: 'docker0', mac: '02:42:00:00:00:01', addresses: ['172.17.0.1/16'] };
const READS = { PROXMOX_READS: 'ipAddresses' };
const machineWith = (networks: object[]) => ({
  ...{ id: 'web', image: { template: 'ubuntu-22.04' }, agent: true, networks },
  timeouts: { agent: '2s' },
});
const web = machineWith([{ name: 'lan', ipv4: 'dhcp' }]);

const somebody = new ActsOnce();
let there: CliLab;
beforeEach(async () => {
  there = await lineLab({ timeScale: 50, before: somebody.asked });
});
afterEach(() => there.close());

const guest = () => there.guests('web')[0]!;
const mac = () => (/virtio=([^,]+)/.exec(guest().config['net0'] ?? '')?.[1] ?? '').toLowerCase();
/** The guest's system has a card of its own with these addresses, and a bridge of docker. */
const has = (...addresses: string[]): void => {
  guest().running!.cards = [DOCKER, { name: 'eth0', mac: mac(), addresses }];
};
const addresses = async (): Promise<unknown> => {
  const { told } = await there.facts('web', {});
  return JSON.parse(told['ipAddresses'] ?? 'null');
};
async function applied(machine: ReturnType<typeof machineWith>, first: () => void) {
  somebody.before(/^GET .*\/agent\/network-get-interfaces/, () => Promise.resolve(first()));
  const { told } = await there.observe({ web: machine }, {}, { 'reads.web': 'ipAddresses' });
  return there.apply(machine, { token: told['web.token'] ?? '', env: READS });
}

test.each([
  ['the bridge of docker', []],
  ['an IPv6 address of its card', ['2001:db8::7/64']],
])('an apply does not take %s for the address that DHCP gives', async (_, early) => {
  const done = await applied(web, () => {
    has(...early);
    somebody.before(/^GET .*\/agent\/network-get-interfaces/, () => Promise.resolve(has('10.1.2.3/8')));
  });
  expect(done).toMatchObject({ code: 0, stderr: expect.not.stringContaining('WARNING') as string });
  expect(await addresses()).toEqual(['10.1.2.3']);
  guest().system.agent = false;
  expect(await addresses()).toEqual(['10.1.2.3']);
});

test('an apply fails where only docker ever has an address, and none is noted', async () => {
  const done = await applied(web, () => has());
  expect(done.code).toBe(1);
  expect(done.stderr).toContain('no card of the guest has an IPv4 address yet');
  expect(await addresses()).toEqual([]);
});

test('a guest with IPv6 alone is told by that, and not by the bridge of docker', async () => {
  const only6 = machineWith([{ name: 'lan', ipv6: 'auto' }]);
  expect(await applied(only6, () => has('2001:db8::7/64'))).toMatchObject({ code: 0 });
  expect(await addresses()).toEqual(['2001:db8::7']);
});

test('a guest that changed the MAC address of its card is told by what is no bridge', async () => {
  const done = await applied(web, () => {
    guest().running!.cards = [DOCKER, { name: 'eth0', mac: '02:00:00:00:00:09', addresses: ['10.1.2.3/8'] }];
  });
  expect(done.code).toBe(0);
  expect(await addresses()).toEqual(['10.1.2.3']);
});

test('bonds and VLANs of the guest carry the MAC address of its card', async () => {
  const done = await applied(web, () => {
    guest().running!.cards = [
      DOCKER,
      { name: 'eth0', mac: mac(), addresses: [] },
      { name: 'bond0.10', mac: mac(), addresses: ['10.1.2.3/8'] },
    ];
  });
  expect(done.code).toBe(0);
  expect(await addresses()).toEqual(['10.1.2.3']);
});
