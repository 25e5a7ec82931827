import * as fc from 'fast-check';
import { canonical, parseDesiredState, parseMachine, type MachineSpec } from '../../spec';
import { arbitraryMachine, shuffled, withoutNullKeys } from './arbitrary-machine';
import { machine, parsedMachine, state, valueOf } from './sample';
import { tries } from '../support/random/tries';

const text = (said: unknown) => canonical(valueOf(parseMachine(said)));

const DISK = { disks: [{ name: 'root', storage: 'fast' }] };

describe('the canonical form', () => {
  test('what parses serializes to itself', () =>
    fc.assert(
      fc.property(arbitraryMachine, said => {
        const once = valueOf(parseMachine(said));
        const again = valueOf(parseMachine(JSON.parse(canonical(once))));
        expect(again).toEqual(once);
        expect(canonical(again)).toBe(canonical(once));
      }),
      tries(100),
    ));

  test('does not depend on the order of keys', () =>
    fc.assert(
      fc.property(arbitraryMachine, said => expect(text(shuffled(said))).toBe(text(said))),
      tries(100),
    ));

  test('is the same for null and absent', () =>
    fc.assert(
      fc.property(arbitraryMachine, said => expect(text(withoutNullKeys(said))).toBe(text(said))),
      tries(100),
    ));

  test('holds no field that was not said', () =>
    fc.assert(
      fc.property(arbitraryMachine, said => {
        const fields = Object.keys(withoutNullKeys(said) as object).sort();
        expect(Object.keys(JSON.parse(text(said))).sort()).toEqual(fields);
      }),
      tries(100),
    ));

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['sizes', { memory: '4Gi' }, { memory: 4_294_967_296 }],
    ['durations', { shutdownTimeout: '60s' }, { shutdownTimeout: '1m' }],
    ['tags', { tags: ['b', 'a', 'b'] }, { tags: ['a', 'b'] }],
    ['template ids', { image: { template: '9000' } }, { image: { template: 9000 } }],
    [
      'trunks',
      { networks: [{ name: 'lan', trunks: ['20', 10] }] },
      { networks: [{ name: 'lan', trunks: [10, '20-20'] }] },
    ],
    [
      'checksums',
      { ...DISK, image: { url: 'https://a/b.img', checksum: `sha256:${'AB'.repeat(32)}` } },
      { ...DISK, image: { url: 'https://a/b.img', checksum: `sha256:${'ab'.repeat(32)}` } },
    ],
    [
      'addresses',
      { networks: [{ name: 'lan', ipv6: { address: '2001:DB8:0::5/64' } }] },
      { networks: [{ name: 'lan', ipv6: { address: '2001:db8::5/64' } }] },
    ],
  ])('is the same for two spellings of %s', (_, a, b) => expect(text(machine(a))).toBe(text(machine(b))));

  test('keeps the order of disks and networks, which decides their first slots', () => {
    const disks = [
      { name: 'b', size: '1G' },
      { name: 'a', size: '1G' },
    ];
    expect(parsedMachine({ disks }).disks?.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('keeps an empty list, which says that there is none', () =>
    expect(text(machine({ tags: [] }))).toContain('"tags":[]'));

  test('is these bytes', () => {
    const said = machine({
      memory: '4Gi',
      cpu: { sockets: 1, cores: 2 },
      disks: [{ size: '20G', name: 'root', storage: null }],
      networks: [{ name: 'lan', macAddress: 'bc24110a0b0c' }],
      power: null,
    });
    expect(text(said)).toBe(
      '{"cpu":{"cores":2,"sockets":1},"disks":[{"name":"root","size":21474836480}],"id":"web",' +
        '"image":{"blank":true},"memory":4294967296,"networks":[{"macAddress":"BC:24:11:0A:0B:0C","name":"lan"}]}',
    );
  });

  test('of a whole document parses to the same document', () => {
    const once = valueOf(
      parseDesiredState(
        state({
          nodes: [{ nodeName: 'pve1', minFreeMemory: '4Gi' }],
          cluster: { name: 'lab', endpoint: 'https://pve', taskTimeout: '60s' },
        }),
      ),
    );
    expect(valueOf(parseDesiredState(JSON.parse(canonical(once))))).toEqual(once);
  });

  test('of undefined and null keys is nothing', () =>
    expect(canonical({ b: undefined, a: null, c: [null] })).toBe('{"c":[null]}'));

  test('parsing does not change what it was given', () => {
    const said = Object.freeze(machine({ memory: '4Gi' }));
    const before = JSON.stringify(said);
    const parsed: MachineSpec = valueOf(parseMachine(said));
    expect(JSON.stringify(said)).toBe(before);
    expect(parsed.memory).toBe(4_294_967_296);
  });
});
