import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

test('console prints where a browser shows the machine, and asks for no ticket', async () => {
  const cluster = await lab();
  await cluster.bring(blankMachine);
  cluster.simulator.ledger.reset();
  const { simulator } = cluster;
  const input = JSON.stringify(desiredJson([blankMachine]));
  const { code, out, said } = await runLine(
    ['console', 'web', '--spec', '-'],
    programAccess(simulator),
    input,
  );
  expect(code).toBe(0);
  expect(out).toBe(`${simulator.url}/?console=kvm&novnc=1&vmid=10000&vmname=web&node=pve1\n`);
  expect(said).toContain('web: is off');
  expect(simulator.ledger.entries().filter(({ method }) => method !== 'GET')).toEqual([]);
  await cluster.close();
});

test('console prints the address that answered, where the first one does not', async () => {
  const cluster = await lab();
  await cluster.bring(blankMachine);
  const access = programAccess(cluster.simulator);
  const { code, out } = await runLine(
    ['console', 'web', '--spec', '-'],
    { ...access, PVE_ENDPOINT: `https://127.0.0.1:1,${access.PVE_ENDPOINT}` },
    JSON.stringify(desiredJson([blankMachine])),
  );
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${cluster.simulator.url}/\\?console=kvm`));
  await cluster.close();
});
