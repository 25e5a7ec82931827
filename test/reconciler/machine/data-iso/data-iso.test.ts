import { dataIso, type DataIsoInput } from '../../../../reconciler/machine/data-iso/data-iso';
import { dataIsoName, isDataIso, isDataIsoOf } from '../../../../reconciler/machine/data-iso/data-iso-name';
import { readIso } from '../../../../simulator/guest/agent/iso9660';

const INPUT: DataIsoInput = {
  uuid: 'u',
  hostname: 'web',
  userData: { packages: ['nginx'] },
  fields: {},
  cards: [{ network: { name: 'lan', ipv4: 'dhcp' }, index: 0, mac: 'BC:24:11:00:00:01' }],
};
const files = (more: Partial<DataIsoInput> = {}): Record<string, string> => {
  const content = readIso(dataIso({ ...INPUT, ...more }).image);
  return Object.fromEntries([...(content?.files ?? [])].map(([name, bytes]) => [name, bytes.toString()]));
};
const idOf = (more: Partial<DataIsoInput> = {}): unknown =>
  (JSON.parse(files(more)['meta-data'] ?? '') as Record<string, unknown>)['instance-id'];
const [card] = INPUT.cards;

test('the same input gives the same bytes, whatever the order of keys', () => {
  const one = dataIso({ ...INPUT, userData: { a: 1, b: { c: 2, d: 3 } } });
  const other = dataIso({ ...INPUT, userData: { b: { d: 3, c: 2 }, a: 1 } });
  expect(one.image.equals(other.image)).toBe(true);
});

test.each<[string, Partial<DataIsoInput>]>([
  ['a name', { hostname: 'other' }],
  ['a MAC address', { cards: [{ ...card!, mac: 'BC:24:11:00:00:99' }] }],
  ['a slot', { cards: [{ ...card!, index: 1 }] }],
])('%s makes another ISO of the same instance', (_, more) => {
  expect(dataIso({ ...INPUT, ...more }).sha256).not.toBe(dataIso(INPUT).sha256);
  expect(idOf(more)).toBe(idOf());
});

test.each<[string, Partial<DataIsoInput>]>([
  ['user data', { userData: { packages: ['caddy'] } }],
  ['vendor data', { vendorData: '#!/bin/sh\n' }],
  ['a key', { fields: { sshKeys: ['ssh-ed25519 A'] } }],
  ['an address', { cards: [{ ...card!, network: { name: 'lan', ipv6: 'auto' } }] }],
  ['another guest', { uuid: 'v' }],
])('%s makes another instance', (_, more) => {
  expect(idOf(more)).not.toBe(idOf());
});

test('text goes as it is; beside plain fields it is the second part of two', () => {
  const userData = '#!/bin/sh\necho ä\n';
  expect(files({ userData })['user-data']).toBe(userData);
  const both = files({ userData, fields: { user: 'ops' } })['user-data'] ?? '';
  expect(both).toMatch(/^Content-Type: multipart\/mixed; boundary="(pvr-[0-9a-f]+)"\n/);
  const parts = [...both.matchAll(/Content-Type: (text\/[^;]+);[^]*?base64\n\n([^-]+)\n--/g)];
  expect(parts.map(([, type, text = '']) => [type, Buffer.from(text, 'base64').toString()])).toEqual([
    ['text/cloud-config', expect.stringContaining('"user": "ops"')],
    ['text/x-shellscript', userData],
  ]);
});

test('meta data wins key by key, as an object and as text', () => {
  const own = { 'instance-id': 'mine', 'public-keys': ['k'] };
  expect(JSON.parse(files({ metaData: own })['meta-data'] ?? '')).toEqual({
    ...own,
    'local-hostname': 'web',
  });
  expect(files({ metaData: JSON.stringify(own) })['meta-data']).toBe(files({ metaData: own })['meta-data']);
  expect(files({ metaData: 'instance-id: mine\n' })['meta-data']).toBe(
    'local-hostname: web\ninstance-id: mine\n',
  );
});

test('where no card says an address there is no network configuration, and networkData goes as it is', () => {
  const cards = [{ ...card!, network: { name: 'lan' } }];
  expect(Object.keys(files({ cards })).sort()).toEqual(['meta-data', 'user-data']);
  expect(files({ cards, networkData: 'version: 2\n' })['network-config']).toBe('version: 2\n');
});

test('letters that PyYAML refuses are escaped', () => {
  expect(files({ userData: { a: 'x\u0085\u2028\u007f' } })['user-data']).toContain('x\\u0085\\u2028\\u007f');
});

test('the name of a file tells whose it is', () => {
  const volume = `nfs:iso/${dataIsoName('team', 'web', 'a'.repeat(64))}`;
  expect(isDataIso(volume)).toBe(true);
  expect(isDataIsoOf(volume, 'team', ['web'])).toBe(true);
  expect(isDataIsoOf(volume, 'team', ['db'])).toBe(false);
  expect(isDataIso('nfs:iso/debian.iso')).toBe(false);
});
