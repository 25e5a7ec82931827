import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const cloned = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  agent: true,
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24' } }],
};
const blank = { id: 'web', image: { blank: true }, agent: true };

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

const looks = (): number =>
  lab.simulator.ledger.entries().filter(({ path }) => path.endsWith('/agent/network-get-interfaces')).length;

describe('after a create', () => {
  test('it waits for the agent', async () => {
    const { code, stderr } = await lab.apply(Object.assign({ waitFor: 'agent' }, cloned));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('WARNING') as string });
    expect(looks()).toBeGreaterThan(1);
    expect((await lab.facts('web')).stdout).toContain('192.0.2.10');
  });

  test('it waits for an address of the kind that is asked for', async () => {
    const waitFor = { address: { family: 'ipv4', cidr: '192.0.2.0/24' } };
    const { code, stderr } = await lab.apply(Object.assign({ waitFor }, cloned));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('WARNING') as string });
    expect(looks()).toBeGreaterThan(1);
  });

  test.each([
    ['agent', /does not wait any longer for the guest agent: no agent answers/, blank],
    [
      { address: { cidr: '198.51.100.0/24' } },
      /does not wait any longer for an address in 198\.51\.100\.0\/24: the agent answers, and has no such/,
      cloned,
    ],
  ])('what never comes is a warning, and no failure: %j', async (waitFor, said, machine) => {
    await lab.close();
    // it has booted long before that
    lab = await lineLab({ timeScale: 50 });
    const timeouts = { agent: '2s' };
    const { code, stderr } = await lab.apply(Object.assign({ waitFor, timeouts }, machine));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(said) as string });
    expect(lab.guests('web')).toHaveLength(1);
  });
});

describe('PVE_NODE_SELECTOR', () => {
  const off = { ...blank, power: 'stopped' };

  test.each([
    ['pve3', off, 'pve3'],
    ['pve9, pve2', off, 'pve2'],
    ['pve9', off, 'pve1'],
    ['pve3', { ...off, node: 'pve2' }, 'pve2'],
  ])('%s', async (PVE_NODE_SELECTOR, machine, node) => {
    expect((await lab.people('reconcile', [machine], [], { PVE_NODE_SELECTOR })).code).toBe(0);
    expect(lab.guests('web').map(guest => guest.node)).toEqual([node]);
    expect((await lab.people('plan', [machine], ['--check'], { PVE_NODE_SELECTOR: 'pve1' })).code).toBe(0);
  });
});
