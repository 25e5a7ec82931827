import { defaultWorld } from '../../../simulator';
import type { GuestSystem } from '../../../simulator/world';
import { askToEnd } from '../../support/cluster/ask';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  agent: true,
  networks: [{ name: 'lan' }],
  timeouts: { agent: '4s' },
};
const reads = { 'reads.web': 'ipAddresses' };
const READS = { PROXMOX_READS: 'ipAddresses' };

let lab: CliLab;
afterEach(() => lab.close());

const guest = () => lab.guests('web')[0]!;
const observe = async () => (await lab.observe({ web }, {}, reads)).told;
const apply = async (): Promise<{ code: number | null; stderr: string }> =>
  lab.apply(web, { token: (await observe())['web.token'] ?? '', env: READS });

/** The mark knew the address, too: an apply that writes it again waits for one. */
test.each<[string, Partial<GuestSystem>, boolean]>([
  ['starts 20 s late', { agentMs: 20_000 }, true],
  ['never starts', { agent: false }, false],
  ['answers nonsense', { agentSays: 'nonsense' }, false],
])('the mark was edited away, and the agent %s', async (_, system, comes) => {
  const world = defaultWorld(3);
  for (const each of Object.values(world.guests)) each.system.bootMs = 0;
  lab = await lineLab({ world, timeScale: 20 });
  expect(await apply()).toMatchObject({ code: 0 });
  const { vmid, node, uuid } = { ...guest(), uuid: guest().config['smbios1'] };
  const noted = /"ip":\[[^\]]+\]/.exec(guest().config['description']!)?.[0];
  expect(noted).toBeDefined();

  guest().config['description'] = 'Ask Bert.';
  guest().system = { ...guest().system, ...system };
  // the agent starts with the guest
  await askToEnd(lab.simulator, 'POST', `/nodes/${node}/qemu/${vmid}/status/reset`, { form: {} });
  expect((await observe())['web.status']).toBe('different');

  const ran = await apply();
  expect(ran.stderr).toContain('the mark was edited away; it is written again');
  expect(ran.code).toBe(comes ? 0 : 1);
  if (!comes) expect(ran.stderr).toMatch(/is read, and is not known.*timeouts\.agent/s);
  // the mark is whole, whatever the agent does
  expect(guest().config['description']).toMatch(/^Ask Bert\.\n<!-- pvr:/);
  expect(guest().config['description']!.includes(noted!)).toBe(comes);

  Object.assign(guest().system, { agent: true });
  delete guest().system.agentSays;
  if (!comes) expect(await apply()).toMatchObject({ code: 0 });
  expect(guest().config['description']).toContain(noted);
  expect(guest()).toMatchObject({ vmid });
  expect(guest().config['smbios1']).toBe(uuid);
  expect((await observe())['web.status']).toBe('in-sync');
});
