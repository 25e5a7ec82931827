import { lineLab } from '../../support/runs/line-lab';

/** Without an operating system nobody answers a shutdown. */
const web = { id: 'web', image: { blank: true } };
const off = { ...web, power: 'stopped', shutdownTimeout: '1s' };

test('shutdownTimeout ends a shutdown; forceStop says whether the machine is then stopped hard', async () => {
  const lab = await lineLab({ timeScale: 10 });
  try {
    expect(await lab.people('reconcile', [web])).toMatchObject({ code: 0 });
    const patient = await lab.people('reconcile', [{ ...off, forceStop: false, timeouts: { apply: '3s' } }]);
    expect(patient.code).toBe(1);
    expect(patient.stderr).toMatch(/got timeout/);
    expect((await lab.people('status', [web])).stdout).toMatch(/^web +Running/m);
    expect(await lab.people('reconcile', [{ ...off, forceStop: true }])).toMatchObject({ code: 0 });
    expect((await lab.people('status', [web])).stdout).toMatch(/^web +Stopped/m);
  } finally {
    await lab.close();
  }
});
