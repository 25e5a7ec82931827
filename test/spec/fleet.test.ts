import { fleetMachine, formatProblems, parseFleet, parseMachine } from '../../spec';

const json = {
  id: 'web',
  node: 'pve2',
  image: { template: 'debian', clone: 'full' },
  cpu: { cores: 2, type: 'host' },
  memory: '4Gi',
  description: 'text',
  disks: [{ name: 'root', size: '20Gi', storage: 'fast', ssd: true }],
  networks: [{ name: 'lan', vlan: 7, ipv4: 'dhcp' }],
  cloudInit: { user: 'me' },
};

it('holds what placement reads of a machine, and nothing else', () => {
  const parsed = parseMachine(json);
  if (!parsed.ok) throw new Error(formatProblems(parsed.problems));
  const placed = fleetMachine(parsed.value);
  expect(placed).toEqual({
    id: 'web',
    node: 'pve2',
    image: { template: 'debian', clone: 'full' },
    cpu: { cores: 2 },
    memory: 4 * 2 ** 30,
    disks: [{ name: 'root', size: 20 * 2 ** 30, storage: 'fast' }],
    networks: [{ name: 'lan' }],
  });
  expect(parseFleet({ machines: [placed] })).toEqual({ ok: true, value: { machines: [placed] } });
});

const WRONG: [string, unknown, string][] = [
  ['a field that it does not know', { machines: [{ id: 'web', memmory: 1 }] }, '"memory"'],
  [
    'a value that is not known yet',
    { machines: [{ id: 'web', memory: { $unknown: 'x' } }] },
    'unknown until apply',
  ],
  ['one id twice', { machines: [{ id: 'web' }, { id: 'web' }] }, 'is used twice'],
  ['one node twice', { machines: [], nodes: [{ nodeName: 'a' }, { nodeName: 'a' }] }, 'is used twice'],
];
it.each(WRONG)('refuses %s', (_, fleet, text) => {
  const parsed = parseFleet(fleet);
  expect(parsed.ok).toBe(false);
  expect(parsed.ok ? '' : formatProblems(parsed.problems)).toContain(text);
});
