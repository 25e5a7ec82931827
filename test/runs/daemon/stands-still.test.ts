import { daemonLab, until } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };

it('a machine that stands still is told as such, and lets nobody wait once it goes on', async () => {
  const lab = await daemonLab([web]);
  const daemon = lab.start();
  const ready = async (status: string): Promise<Record<string, unknown>> =>
    until(
      () => daemon.machine('web'),
      seen => (seen['conditions'] as { status: string }[])[0]?.status === status,
    );
  expect(await ready('True')).toMatchObject({ phase: 'Running', powerState: 'running' });
  const { running } = lab.simulator.world.guests[10_000]!;
  running!.qmp = 'io-error';
  const told = await ready('False');
  expect(told).toMatchObject({
    ...{ vmid: 10_000, phase: 'Error', powerState: 'paused' },
    conditions: [{ type: 'Ready', reason: 'IoError' }, {}, {}, {}],
    error: expect.stringContaining('stands still (io-error)') as string,
    waitsForNewSpec: false,
  });
  running!.qmp = 'running';
  const again = await ready('True');
  expect(again).toMatchObject({ phase: 'Running', powerState: 'running' });
  expect(again).not.toHaveProperty('error');
  await lab.close();
});
