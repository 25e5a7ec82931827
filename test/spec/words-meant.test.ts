import { machineProblems, stateProblems } from './sample';

const remedyOf = ([first]: readonly { remedy: string }[]): string | undefined => first?.remedy;
const network = (field: string, given: string) => ({ networks: [{ name: 'lan', [field]: given }] });

describe('a value as other programs or YAML 1.1 write it: the remedy is what to write', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['agent: yes', { agent: 'yes' }, 'Write true.'],
    ['agent: "false"', { agent: 'false' }, 'Remove the quotes: false.'],
    ['onBoot: off', { onBoot: 'off' }, 'Write false.'],
    ['power: on', { power: 'on' }, 'Write "running".'],
    ['power: Off', { power: 'Off' }, 'Write "stopped".'],
    ['power: true', { power: true }, 'Write "running".'],
    ['powerState: on', { powerState: 'on' }, 'Write "power": "running".'],
    ['powerState: anything', { powerState: 'dozing' }, 'Use "power".'],
    ['image.full: true', { image: { template: 'x', full: true } }, 'Write "clone": "full".'],
    ['image.full: false', { image: { template: 'x', full: false } }, 'Write "clone": "linked".'],
    ['image.linked: true', { image: { template: 'x', linked: true } }, 'Write "clone": "linked".'],
    ['image.linked: false', { image: { template: 'x', linked: false } }, 'Write "clone": "full".'],
    ['image.full: no', { image: { template: 'x', full: 'no' } }, 'Write "clone": "linked".'],
    ['image.full: maybe', { image: { template: 'x', full: 'maybe' } }, 'Write "clone": "full" or "linked".'],
    ['image.linkedClone', { image: { template: 'x', linkedClone: false } }, 'Write "clone": "full".'],
    ['fullClone of a machine', { fullClone: true }, 'Write "clone": "full" in "image".'],
    [
      'ipv4 without its prefix',
      network('ipv4', '192.168.1.10'),
      'Write {"address": "192.168.1.10/24"}, with the prefix of its network.',
    ],
    ['ipv4 of the other family', network('ipv4', '2001:db8::1/64'), 'This is ipv6: put it under ipv6.'],
    ['ipv4 with it', network('ipv4', '192.168.1.10/20'), 'Write {"address": "192.168.1.10/20"}.'],
    [
      'ipv6 without its prefix',
      network('ipv6', '2001:db8::7'),
      'Write {"address": "2001:db8::7/64"}, with the prefix of its network.',
    ],
  ])('%s', (_, said, remedy) => expect(remedyOf(machineProblems(said))).toBe(remedy));

  test('cluster: lab', () => {
    expect(remedyOf(stateProblems({ cluster: 'lab' }))).toBe('Write {"name": "lab"}.');
    expect(remedyOf(stateProblems({ cluster: 7 }))).toBe(
      'Write an object, with fields such as "name" and "endpoint".',
    );
  });

  test('a number or a text where fields belong', () => {
    const fields = 'Write an object, with fields such as "cores" and "sockets".';
    expect(remedyOf(machineProblems({ cpu: 2 }))).toBe(fields);
    expect(remedyOf(machineProblems({ cpu: '2 cores' }))).toBe(fields);
  });

  test.each([
    ['gateway4', 'Use "ipv4.gateway".'],
    ['gateway6', 'Use "ipv6.gateway".'],
  ])('%s of a card', (field, remedy) =>
    expect(
      remedyOf(machineProblems({ networks: [{ name: 'lan', bridge: 'vmbr0', [field]: '192.0.2.1' }] })),
    ).toBe(remedy),
  );
});

describe('a mapping in the place of a list', () => {
  const list = (field: string, key: string) =>
    `Write a list, in which each entry has its ${field} as a field: "- ${field}: ${key}".`;

  test.each<[string, unknown, string]>([
    ['machines', { w2: { memory: '1Gi' } }, list('id', 'w2')],
    ['machines', { id: 'w2', memory: '1Gi' }, 'Put it into a list: [ … ].'],
    ['machines', 'w2', 'Put it into a list: [ … ].'],
    ['nodes', { pve1: { labels: {} } }, list('nodeName', 'pve1')],
  ])('%s: %j', (field, given, remedy) => expect(remedyOf(stateProblems({ [field]: given }))).toBe(remedy));

  test('within a machine', () =>
    expect(remedyOf(machineProblems({ disks: { root: { size: '4Gi' } } }))).toBe(list('name', 'root')));
});
