import { HeldCluster } from '../support/held-cluster';

let cluster: HeldCluster;
beforeEach(async () => {
  cluster = await HeldCluster.start();
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
