import * as fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import {
  formatAddress,
  formatDuration,
  formatSize,
  inOneUnit,
  isInSubnet,
  milliseconds,
  parseAddress,
  parseCidr,
  parseSize,
} from '../../spec';
import { clusterProblems, machineProblems, parsedCluster, parsedMachine } from './sample';
import { tries } from '../support/random/tries';

describe('sizes', () => {
  test.each([
    ['768Mi', '2Gi', ['768Mi', '2048Mi']],
    ['1Gi', '2Gi', ['1Gi', '2Gi']],
    ['1Ti', '100Gi', ['1024Gi', '100Gi']],
    ['0', '2Gi', ['0', '2Gi']],
    ['0', '0', ['0', '0']],
  ])('%p beside %p: in one unit', (one, other, texts) =>
    expect(inOneUnit(parseSize(one) ?? -1, parseSize(other) ?? -1)).toEqual(texts),
  );

  test.each([
    ['64Mi', 67_108_864],
    ['4Gi', 4_294_967_296],
    ['4G', 4_294_967_296],
    ['4GiB', 4_294_967_296],
    ['1.5G', 1_610_612_736],
    ['1T', 1_099_511_627_776],
    ['1024', 1024],
    [4096, 4096],
  ])('%p is %p bytes', (given, bytes) => expect(parseSize(given)).toBe(bytes));

  test.each(['4GB', '4 G', '4g', '-4G', 'G', '', '4Gi4', '0.3', 1.5, -1, Number.NaN, 2 ** 60])(
    '%p is none',
    given => expect(parseSize(given)).toBeUndefined(),
  );

  test.each<[Record<string, unknown>, string]>([
    [{ memory: 2048 }, 'Did you mean "2Gi" (2048 MiB)? A number alone counts bytes.'],
    [{ memory: '2048' }, 'Did you mean "2Gi" (2048 MiB)? A number alone counts bytes.'],
    [{ memory: 1000 }, 'Did you mean "1000Mi" (1000 MiB)? A number alone counts bytes.'],
    [{ memory: 4 }, 'Did you mean "4Gi"? A number alone counts bytes.'],
    [{ balloon: 512 }, 'Did you mean "512Mi" (512 MiB)? A number alone counts bytes.'],
    [{ placement: { minFreeMemory: 4096 } }, 'Did you mean "4Gi" (4096 MiB)? A number alone counts bytes.'],
    [{ disks: [{ name: 'data', size: '20' }] }, 'Did you mean "20G"? A number alone counts bytes.'],
    [{ disks: [{ name: 'data', size: 32 }] }, 'Did you mean "32G"? A number alone counts bytes.'],
    [{ memory: '16Mi' }, 'Raise it to "64Mi" or more.'],
    [{ memory: 100_000_000 }, 'Use "96Mi", the next whole one.'],
  ])('%j: a unit is guessed', (said, remedy) => expect(machineProblems(said)[0]?.remedy).toBe(remedy));

  test('the text of a size is read back as the same bytes', () =>
    fc.assert(
      fc.property(fc.maxSafeNat(), bytes => expect(parseSize(formatSize(bytes))).toBe(bytes)),
      tries(100),
    ));

  test('"4Gi" and 4294967296 are one spec', () =>
    expect(parsedMachine({ memory: '4Gi' })).toEqual(parsedMachine({ memory: 4_294_967_296 })));
});

describe('durations', () => {
  test.each([
    ['50ms', 50],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
  ])('%s is %d ms', (given, ms) => expect(milliseconds(given)).toBe(ms));

  test('a duration is kept in its shortest spelling', () =>
    expect(parsedMachine({ shutdownTimeout: '120s' }).shutdownTimeout).toBe('2m'));

  test('the text of a duration is read back as the same time', () =>
    fc.assert(
      fc.property(fc.nat(), ms => expect(milliseconds(formatDuration(ms))).toBe(ms)),
      tries(100),
    ));
});

describe('MAC addresses', () => {
  const mac = (given: string) =>
    parsedMachine({ networks: [{ name: 'lan', macAddress: given }] }).networks?.[0]?.macAddress;

  test.each(['bc:24:11:0a:0b:0c', 'BC-24-11-0A-0B-0C', 'bc24.110a.0b0c', 'bc24110a0b0c'])(
    '%s is one',
    given => expect(mac(given)).toBe('BC:24:11:0A:0B:0C'),
  );

  test.each(['bc:24:11:0a:0b', 'bc:24:11:0a:0b:0g', 'bc:24-11:0a:0b:0c', '01:00:5e:00:00:01', ''])(
    '%p is refused',
    given => expect(machineProblems({ networks: [{ name: 'lan', macAddress: given }] })).toHaveLength(1),
  );
});

describe('addresses', () => {
  test('agree with node on what is an address', () =>
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,16}$/)), given =>
        expect(parseAddress(given) !== undefined).toBe(isIP(given) !== 0),
      ),
    ));

  test.each([
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '1:2:3:4:5:6:7::8',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    ':1:2:3:4:5:6:7',
    '::ffff:192.0.2.1',
    '::ffff:192.0.2.256',
    '1:2:3:4:5:6:7:192.0.2.1',
    '12345::',
    '192.0.2',
    '192.0.2.1.',
    '192.0.2.01',
  ])('agree with node on %s', given => expect(parseAddress(given) !== undefined).toBe(isIP(given) !== 0));

  test('agree with node on what lies in a subnet', () =>
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 1, max: 32 }), (address, base, prefix) => {
        const list = new BlockList();
        list.addSubnet(base, prefix, 'ipv4');
        const subnet = parseCidr(`${base}/${prefix}`)!;
        expect(isInSubnet(parseAddress(address)!, subnet)).toBe(list.check(address, 'ipv4'));
      }),
    ));

  test('have one spelling', () =>
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), given => {
        const read = parseAddress(given)!;
        expect(parseAddress(formatAddress(read))).toEqual(read);
        if (read.family === 'ipv6')
          expect(new URL(`http://[${given}]`).hostname).toBe(`[${formatAddress(read)}]`);
      }),
    ));

  test.each([
    '10.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/',
    '010.0.0.1/24',
    '2001:db8::/129',
    '10.0.0.1/24/24',
    'fe80::1%eth0/64',
  ])('%s is no address with a prefix', given => expect(parseCidr(given)).toBeUndefined());
});

describe('endpoints', () => {
  const PLAIN = 'Begin it with "https://": plain http is taken only where a proxy on this machine listens.';
  test.each([
    ['https://pve.example.com', 'https://pve.example.com:8006'],
    ['https://pve.example.com/', 'https://pve.example.com:8006'],
    ['https://PVE.example.com:8006/api2', 'https://pve.example.com:8006'],
    ['https://pve.example.com/api2/json', 'https://pve.example.com:8006'],
    ['https://pve.example.com/api2/json/', 'https://pve.example.com:8006'],
    ['https://pve.example.com:443', 'https://pve.example.com:443'],
    ['https://192.0.2.1:8006', 'https://192.0.2.1:8006'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]:8006'],
    ['http://127.0.0.1:8001', 'http://127.0.0.1:8001'],
    ['http://localhost/api2/json', 'http://localhost:8006'],
    ['http://[::1]:8001', 'http://[::1]:8001'],
  ])('%s is %s', (given, want) => expect(parsedCluster({ endpoint: given }).endpoint).toBe(want));

  test.each([
    ['pve.example.com:8006', 'Begin it with "https://".'],
    ['http://pve.example.com', PLAIN],
    ['http://127.0.0.1.example.com', PLAIN],
    ['http://192.0.2.1:8006', PLAIN],
    ['ftp://127.0.0.1', 'Begin it with "https://".'],
    ['https://pve.example.com/api3', 'Remove what follows the host and its port.'],
    ['https://pve.example.com/?x=1', 'Remove what follows the host and its port.'],
    ['https://root:hunter2@pve.example.com', 'Credentials never stand in an address: remove them.'],
    ['https://pve.example.com:0', undefined],
    ['https://pve.example.com:65536', undefined],
    ['https://', undefined],
    ['https://[::zz]', undefined],
  ])('%s is refused', (given, remedy) => {
    const [problem] = clusterProblems({ endpoint: given });
    expect(problem?.path).toBe('cluster.endpoint');
    expect(problem?.remedy).toBe(remedy ?? 'Use a value that is allowed.');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });
});

describe('fingerprints', () => {
  const digits = 'ab'.repeat(32);
  test.each([digits, digits.toUpperCase(), `sha256:${digits}`, digits.match(/../g)!.join(':')])(
    '%s is one',
    given => expect(parsedCluster({ fingerprint: given }).fingerprint).toBe(Array(32).fill('AB').join(':')),
  );
  test.each(['ab'.repeat(20), 'ab'.repeat(31), `${'ab'.repeat(31)}xy`])('%s is refused', given =>
    expect(clusterProblems({ fingerprint: given })).toHaveLength(1),
  );
});
