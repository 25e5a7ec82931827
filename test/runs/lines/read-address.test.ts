import type { CliLab } from '../../support/processes/cli';
import { start } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, agent: true, networks: [{ name: 'lan' }] };
const READS = { PROXMOX_READS: 'ipAddresses' };
const reads = { 'reads.web': 'ipAddresses' };

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab({ timeScale: 50 });
});
afterEach(() => lab.close());

const guest = () => lab.guests('web')[0]!;
/** Applies what was observed, as Terraform does. */
const apply = async (spec: { id: string }): Promise<{ code: number | null; stderr: string }> => {
  const { told } = await lab.observe({ web: spec }, {}, reads);
  return lab.apply(spec, { token: told['web.token'] ?? '', env: READS });
};
const mark = (): string => /<!-- pvr:(.*) -->/.exec(guest().config['description'] ?? '')?.[1] ?? '{}';
const noted = (): unknown => (JSON.parse(mark()) as { ip?: unknown }).ip;

test('the addresses that were waited for are noted, and told with the reason while the agent is silent', async () => {
  expect(await apply(web)).toMatchObject({ code: 0 });
  const { told } = await lab.facts('web', { required: 'ipAddresses' });
  expect(noted()).toEqual(JSON.parse(told['ipAddresses'] ?? ''));
  expect(told).not.toHaveProperty('staleAddresses');

  guest().system.agent = false;
  const silent = await lab.facts('web', { required: 'ipAddresses' });
  expect(silent.told['ipAddresses']).toBe(told['ipAddresses']);
  expect(JSON.parse(silent.told['staleAddresses'] ?? '')).toContain(
    'is what was last known: guest 10000 on pve1: QEMU guest agent is not running',
  );
  expect((await lab.observe({ web }, {}, reads)).told['web.status']).toBe('in-sync');
});

test('nothing is waited for, and nothing noted, where nobody reads an address', async () => {
  guestless();
  expect(await lab.apply(web)).toMatchObject({ code: 0 });
  expect(noted()).toBeUndefined();
});

/** From now on no agent starts in what is cloned. */
function guestless(): void {
  for (const { system } of Object.values(lab.world.guests)) system.agent = false;
}

test.each<[string, object, string]>([
  ['the agent is off', { agent: false }, 'the guest agent is off in the configuration'],
  ['the guest is off', { power: 'unmanaged' }, 'guest 10000 on pve1 is off'],
])('what would be waited for in vain fails at once: %s', async (_, fields, why) => {
  const { code, stderr } = await apply({ ...web, ...fields });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) as string });
  expect(stderr).toContain('web: ERROR: ipAddresses is read, and is not known');
  expect(lab.guests('web')).toHaveLength(1);
});

test('an agent that the caller may not ask fails at once, and so do the facts', async () => {
  const effect = { kind: 'answer', status: 403, text: 'Permission check failed' } as const;
  lab.simulator.faults.add({ path: '/nodes/*/qemu/*/agent/**', effect });
  const { code, stderr } = await apply(web);
  const why = 'is not known: the guest agent may not be asked (Permission check failed)';
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) as string });
  expect(await lab.facts('web', { required: 'ipAddresses' })).toMatchObject({ code: 1 });
});

test('a machine that nobody knows an address of is no plan that fails: its apply waits again', async () => {
  guestless();
  const impatient = { ...web, timeouts: { agent: '1s' } };
  expect(await apply(impatient)).toMatchObject({ code: 1 });
  const { told } = await lab.observe({ web: impatient }, {}, reads);
  expect(told).toMatchObject({ 'web.status': 'different', 'web.effect': 'live' });
  expect(told['web.diff']).toContain('wait for an address');
  guest().system.agent = true;
  expect((await lab.observe({ web: impatient }, {}, reads)).told['web.status']).toBe('in-sync');
  expect(await apply(impatient)).toMatchObject({ code: 0 });
  expect(noted()).toEqual([expect.stringMatching(/^10\./)]);
});

test('a wait ends with an interrupt', async () => {
  guestless();
  const { ended, child, said } = start(['apply'], {
    ...lab.access,
    ...READS,
    PVE_RUN: 'alone',
    PROXMOX_PROTOCOL: '1',
    PROXMOX_CLUSTER: '{"name":"lab"}',
    PROXMOX_OWNER: 'team/lab',
    PROXMOX_MACHINE: 'web',
    PROXMOX_ENTRY: 'e1',
    PROXMOX_TOKEN: '',
    PROXMOX_SPEC: JSON.stringify(web),
  });
  await said('waits for an address, at most 3m');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
});
