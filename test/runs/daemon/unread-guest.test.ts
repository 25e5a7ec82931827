import { administratorOf } from '../../support/cluster/administrator';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

let lab: DaemonLab;
afterEach(() => lab.close());

test('a machine that somebody stops while its snapshots cannot be read is not told as running', async () => {
  lab = await daemonLab([{ id: 'web', node: 'pve1', image: { blank: true } }]);
  const daemon = lab.start();
  const shown = (phase: string) =>
    until(
      () => daemon.machine('web'),
      told => told['phase'] === phase,
    );
  await shown('Running');
  lab.want([{ id: 'web', node: 'pve1', image: { blank: true }, mode: 'observe' }]);
  await until(
    () => daemon.machine('web'),
    told => told['mode'] === 'observe',
  );
  const [guest] = lab.guests('web');
  const path = `/nodes/pve1/qemu/${guest?.vmid}`;
  lab.simulator.faults.add({
    methods: ['GET'],
    path: `${path}/snapshot`,
    effect: { kind: 'answer', status: 500, text: 'got timeout' },
  });
  expect(await administratorOf(lab)('POST', `${path}/status/stop`)).toBe(true);
  expect(await shown('Stopped')).toMatchObject({ vmid: guest?.vmid, powerState: 'stopped' });
});
