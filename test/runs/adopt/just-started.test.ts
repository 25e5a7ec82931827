import { adopt } from '../../../reconciler/commands/adopt/adopt';
import { Reporter } from '../../../reconciler/report/reporter';
import { askToEnd } from '../../support/cluster/ask';
import { lab, labWorld, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

/** The statistics of the cluster come so late that no test sees their next round: ten seconds on a real one (behaviour.md §16.4). */
const LATE_MS = 600_000;
const SMBIOS = 'uuid=00000000-0000-4000-8000-000000000700';

let cluster: Lab;
beforeEach(async () => {
  const world = labWorld();
  world.guests[700] = {
    ...structuredClone(world.guests[100]!),
    vmid: 700,
    node: 'pve1',
    running: null,
    config: { name: 'old', memory: '512', smbios1: SMBIOS },
  };
  cluster = await lab({ world, lagMs: LATE_MS });
});
afterEach(() => cluster.close());

async function adopted(vmid: number): Promise<{ code: number; out: string; said: string }> {
  let out = '';
  const said: string[] = [];
  const around = {
    environment: programAccess(cluster.simulator),
    readInput: () => Promise.resolve(''),
    out: (text: string) => void (out += text),
    reporter: new Reporter({ write: line => said.push(line), level: 'info', json: false }),
    signal: new AbortController().signal,
  };
  const code = await adopt(around, { form: 'json', yes: true, owner: 'team/lab' }, [String(vmid)]);
  return { code, out, said: said.join('\n') };
}

async function post(path: string, params: Record<string, string> = {}): Promise<void> {
  expect((await askToEnd(cluster.simulator, 'POST', path, { params })).exitstatus).toBe('OK');
}

test('one that was made and started just now is adopted as what it is, whatever the listing does not know yet', async () => {
  await post('/nodes/pve1/qemu', { vmid: '701', name: 'new', memory: '512', smbios1: SMBIOS });
  await post('/nodes/pve1/qemu/701/status/start');
  const { code, out, said } = await adopted(701);
  expect(said).toContain('its next plan is empty');
  expect([code, out.includes('unmanaged'), out.includes('"power"')]).toEqual([0, false, false]);
});

test('one that was started just now is adopted as running, whatever the listing says still', async () => {
  await post('/nodes/pve1/qemu/700/status/start');
  const { code, out } = await adopted(700);
  expect([code, out.includes('"power"')]).toEqual([0, false]);
});

test('one that was made just now is adopted as stopped', async () => {
  await post('/nodes/pve1/qemu', { vmid: '701', name: 'new', memory: '512', smbios1: SMBIOS });
  const { code, out } = await adopted(701);
  expect([code, /"power": ?"stopped"/.test(out)]).toEqual([0, true]);
});
