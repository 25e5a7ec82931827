import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  await cluster.run('POST', '/nodes/pve2/qemu', { vmid: 100, memory: 64 });
});
afterEach(() => cluster.close());

describe('a console', () => {
  it('is served by the node that was asked, and given up when nobody connects', async () => {
    const answer = (await cluster.data('POST', '/nodes/pve2/qemu/100/vncproxy')) as Record<string, string>;
    expect(answer['port']).toBe('5900');
    const { exitstatus, upid } = await cluster.ended(answer['upid'] ?? '');
    expect(upid.startsWith('UPID:pve1:')).toBe(true);
    expect(exitstatus).toBe('connection timed out');
  });

  const open = async (kind: string, params: Record<string, string | number> = {}) =>
    (await cluster.data('POST', `/nodes/pve2/qemu/100/${kind}`, params)) as Record<string, string>;

  it('of a display has a password, in front of its ticket too', async () => {
    const { user, cert, password, ticket } = await open('vncproxy');
    expect(user).toBe('root@pam');
    expect(cert).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(password).toMatch(/^[!-~]{8}$/);
    expect(ticket?.startsWith(`${password}:PVEVNC:`)).toBe(true);
  });

  it('on a serial port has a password only for web sockets', async () => {
    await cluster.data('PUT', '/nodes/pve2/qemu/100/config', { vga: 'serial0', serial0: 'socket' });
    expect((await open('vncproxy'))['ticket']).toMatch(/^PVEVNC:[0-9A-F]{8}::[A-Za-z0-9+/]{342}==$/);
    expect(await open('vncproxy', { websocket: 1 })).toHaveProperty('password');
    expect(Object.keys(await open('termproxy')).sort()).toEqual(['port', 'ticket', 'upid', 'user']);
  });

  it('by SPICE needs a display that speaks it', async () => {
    const refused = () => cluster.refusal('POST', '/nodes/pve2/qemu/100/spiceproxy');
    expect(await refused()).toBe('500 VM 100 not running');
    await cluster.run('POST', '/nodes/pve2/qemu/100/status/start');
    expect(await refused()).toBe('500 no spice port');
    await cluster.run('POST', '/nodes/pve2/qemu/100/status/stop');
    await cluster.data('PUT', '/nodes/pve2/qemu/100/config', { vga: 'qxl' });
    await cluster.run('POST', '/nodes/pve2/qemu/100/status/start');
    expect(await open('spiceproxy')).toMatchObject({ type: 'spice', title: 'VM 100', 'delete-this-file': 1 });
  });

  it('needs a guest on the node that the path names', async () => {
    expect(await cluster.refusal('POST', '/nodes/pve1/qemu/100/termproxy')).toBe(
      "500 Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist",
    );
  });
});

describe('the monitor', () => {
  const ask = (command: string, token?: string) =>
    cluster.refusal('POST', '/nodes/pve2/qemu/100/monitor', { command }, token);

  it('says how the guest is', async () => {
    await cluster.run('POST', '/nodes/pve2/qemu/100/status/start');
    await cluster.run('POST', '/nodes/pve2/qemu/100/status/suspend');
    expect(await cluster.data('POST', '/nodes/pve2/qemu/100/monitor', { command: 'info status' })).toBe(
      'VM status: paused\r\n',
    );
  });

  it('keeps dangerous and unknown commands for root himself', async () => {
    const token = 'root@pam!full=11111111-1111-4111-8111-111111111111';
    expect(await ask('migrate tcp:host:1', token)).toBe("500 root-only command 'migrate'");
    expect(await ask('make_coffee', token)).toBe(
      "500 command 'make_coffee' non-existent or not assigned a required permission yet, limiting to root user",
    );
    expect(await ask('stop', token)).toBe('200 OK');
  });
});
