import type { OpenGuests } from '../../support/cluster/open-guests';
import { openGuests } from '../../support/cluster/open-guests';

let api: OpenGuests;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM me@host';

async function start(params: Record<string, string> = {}): Promise<void> {
  api = await openGuests();
  await api.create(100, {
    memory: '64',
    ide2: 'local:cloudinit',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    ...params,
  });
}
afterEach(() => api.close());

const run = (): Promise<unknown> => api.run('POST', '/nodes/pve1/qemu/100/status/start');
const rows = async (): Promise<unknown[]> =>
  (await api.request('GET', '/nodes/pve1/qemu/100/cloudinit')).data as unknown[];
const dump = async (type: string): Promise<unknown> =>
  (await api.request('GET', '/nodes/pve1/qemu/100/cloudinit/dump', { type })).data;

describe('the cloud-init image of a running guest', () => {
  it('shows what a new image would change', async () => {
    await start({ ciuser: 'a', nameserver: '1.1.1.1', name: 'one' });
    await run();
    await api.put(100, { ciuser: 'b', searchdomain: 'x.test', ipconfig0: 'ip=dhcp', name: 'two' });
    await api.put(100, { delete: 'nameserver' });
    expect(await api.waiting(100)).toEqual({});
    expect(await rows()).toEqual(
      expect.arrayContaining([
        { key: 'ciuser', value: 'a', pending: 'b' },
        { key: 'searchdomain', pending: 'x.test' },
        { key: 'ipconfig0', pending: 'ip=dhcp' },
        { key: 'nameserver', delete: 1 },
      ]),
    );
    expect(await rows()).toHaveLength(4);
  });

  it('forgets a change that is taken back', async () => {
    await start({ ciuser: 'a' });
    await run();
    const before = (await api.config(100))['digest'];
    await api.put(100, { ciuser: 'b', citype: 'nocloud' });
    await api.put(100, { ciuser: 'a', delete: 'citype' });
    expect(await rows()).toEqual([{ key: 'ciuser', value: 'a' }]);
    expect((await api.config(100))['digest']).toBe(before);
  });

  it('is up to date after it was made anew', async () => {
    await start({ ciuser: 'a' });
    await run();
    await api.put(100, { ciuser: 'b' });
    expect(await api.request('PUT', '/nodes/pve1/qemu/100/cloudinit')).toMatchObject({
      status: 200,
      data: null,
    });
    expect(await rows()).toEqual([{ key: 'ciuser', value: 'b' }]);
  });

  it('follows at once where hotplug says cloudinit', async () => {
    await start({ ciuser: 'a', hotplug: 'network,cloudinit' });
    await run();
    await api.put(100, { ciuser: 'b' });
    expect(await rows()).toEqual([{ key: 'ciuser', value: 'b' }]);
    expect(api.world.guests[100]?.cloudInitImage?.['ciuser']).toBe('b');
  });

  it('is left behind by another medium, and removed with an empty drive', async () => {
    const volid = 'local:100/vm-100-cloudinit.qcow2';
    const volids = (): string[] => api.world.volumes.map(each => each.volid);
    await start();
    await run();
    await api.put(100, { ide2: 'local:iso/tiny.iso,media=cdrom' });
    expect(volids()).toContain(volid);
    await api.close();
    await start();
    await run();
    await api.put(100, { ide2: 'none,media=cdrom' });
    expect(volids()).not.toContain(volid);
  });

  it('cannot be made while a snippet is missing', async () => {
    await start();
    await api.put(100, { cicustom: 'user=local:snippets/none.yaml' });
    const reason = "volume 'local:snippets/none.yaml' does not exist";
    expect(await api.request('PUT', '/nodes/pve1/qemu/100/cloudinit')).toMatchObject({ status: 500, reason });
    expect(await run()).toMatchObject({ exitstatus: reason });
  });

  it('cannot be made while its storage is not there, and the guest does not start', async () => {
    await start();
    // its volume is gone with it, which alone hinders nothing
    api.breaks(/local/);
    api.world.storages = api.world.storages.filter(({ storage }) => storage !== 'local');
    expect(await run()).toMatchObject({ exitstatus: "storage 'local' does not exist" });
  });

  it('gains its size when its line is written back', async () => {
    await start();
    // nobody recorded what becomes of the volume itself
    api.breaks(/uses local:100\/vm-100-cloudinit\.qcow2, which is not on pve1/);
    const { ide2 } = await api.config(100);
    expect(ide2).toBe('local:100/vm-100-cloudinit.qcow2,media=cdrom');
    await api.put(100, { ide2: String(ide2) });
    expect((await api.config(100))['ide2']).toBe('local:100/vm-100-cloudinit.qcow2,media=cdrom,size=4M');
  });
});

describe('the parts of an image', () => {
  it('name the user, his keys and the machine', async () => {
    await start({
      name: 'web.example.com',
      ciuser: 'root',
      sshkeys: encodeURIComponent(`${KEY}\n\n`),
      ciupgrade: '0',
    });
    expect(await dump('user')).toBe(
      `#cloud-config\nhostname: web\nmanage_etc_hosts: true\nfqdn: web.example.com\nuser: root\ndisable_root: False\nssh_authorized_keys:\n  - ${KEY}\nchpasswd:\n  expire: False\n`,
    );
  });

  it('give every card its addresses', async () => {
    await start({
      net1: 'virtio=BC:24:11:00:00:0A,bridge=vmbr0',
      net2: 'virtio,bridge=vmbr0',
      ipconfig0: 'ip=10.0.0.5/20,gw=10.0.0.1,ip6=fd00::5/64,gw6=fd00::1',
      ipconfig1: 'ip6=auto',
      nameserver: '1.1.1.1 9.9.9.9',
      searchdomain: 'lab.test',
    });
    expect(await dump('network')).toBe(
      [
        'version: 1',
        'config:',
        '    - type: physical',
        '      name: eth0',
        "      mac_address: 'bc:24:11:00:00:01'",
        '      subnets:',
        '      - type: static',
        "        address: '10.0.0.5'",
        "        netmask: '255.255.240.0'",
        "        gateway: '10.0.0.1'",
        '      - type: static6',
        "        address: 'fd00::5/64'",
        "        gateway: 'fd00::1'",
        '    - type: physical',
        '      name: eth1',
        "      mac_address: 'bc:24:11:00:00:0a'",
        '      subnets:',
        '      - type: ipv6_slaac',
        '    - type: nameserver',
        '      address:',
        "      - '1.1.1.1'",
        "      - '9.9.9.9'",
        '      search:',
        "      - 'lab.test'",
        '',
      ].join('\n'),
    );
  });

  it('are those of a config drive for Windows', async () => {
    await start({ ostype: 'win11', ipconfig0: 'ip=10.0.0.5/24,gw=10.0.0.1', nameserver: '1.1.1.1' });
    expect(await dump('network')).toBe(
      'auto lo\niface lo inet loopback\n\n        dns_nameservers 1.1.1.1\nauto eth0\niface eth0 inet static\n        address 10.0.0.5\n        netmask 255.255.255.0\n        gateway 10.0.0.1\n',
    );
    expect(await dump('meta')).toMatch(/^\{\n {5}"uuid": "[0-9a-f]{40}",\n/);
  });

  it('change their instance id with any other part, and only then', async () => {
    await start({ ipconfig0: 'ip=dhcp' });
    const first = await dump('meta');
    expect(first).toMatch(/^instance-id: [0-9a-f]{40}\n$/);
    expect(await dump('meta')).toBe(first);
    await api.put(100, { ipconfig0: 'ip=10.0.0.9/24' });
    expect(await dump('meta')).not.toBe(first);
  });
});

it('an empty list of keys is no list: Proxmox cannot read its line back, so the keys before stay', async () => {
  await start({ sshkeys: encodeURIComponent(KEY) });
  expect(await api.put(100, { sshkeys: '' })).toMatchObject({ status: 200 });
  expect((await api.config(100))['sshkeys']).toBe(encodeURIComponent(KEY));
  await api.create(101, { memory: '64', sshkeys: '' });
  expect(await api.config(101)).not.toHaveProperty('sshkeys');
});
