import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataIso, type DataIsoInput } from '../../reconciler/machine/data-iso/data-iso';
import { skipped } from '../support/skipped';

const NAMES = ['meta-data', 'network-config', 'user-data', 'vendor-data'];
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHn3PqcC0HV6zJ0mPqmVQQ0nXk0y3TqY3m7d4rD0bFZb me@host';
const INPUT: DataIsoInput = {
  uuid: '11111111-2222-4333-8444-555555555555',
  hostname: 'web',
  userData: { packages: ['nginx'], write_files: [{ path: '/a', content: 'ä\u0085\u2028' }] },
  vendorData: `#!/bin/sh\n# ${'x'.repeat(50_000)}\n`,
  fields: { user: 'ops', password: '$6$salt$hash', sshKeys: [KEY], upgradePackages: true },
  cards: [
    {
      network: {
        name: 'lan',
        ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' },
        ipv6: { address: '2001:db8::10/64', gateway: '2001:db8::1' },
      },
      index: 0,
      mac: 'BC:24:11:00:00:01',
    },
    { network: { name: 'dmz', ipv4: 'dhcp', ipv6: 'auto' }, index: 1, mac: 'BC:24:11:00:00:02' },
  ],
  dns: { servers: ['192.0.2.53'], search: ['example.com'] },
};
/** The same beside text: then the user data has several parts. */
const MULTIPART = { ...INPUT, userData: '#cloud-config\npackages: [nginx]\n' };

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'data-iso-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, input = INPUT): string => {
  const path = join(folder, name);
  writeFileSync(path, dataIso(input).image);
  return path;
};
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
const lines = (text: string): string[] => text.trim().split('\n').sort();

/** A test that needs a program which is not ours. */
function withProgram(program: string, title: string, body: () => void): void {
  const found = spawnSync('which', [program], { encoding: 'utf8' }).status === 0;
  if (found) test(title, body);
  else skipped(title, `there is no ${program}`);
}

withProgram('isoinfo', 'isoinfo reads the names of Rock Ridge, of Joliet and the short ones', () => {
  const path = file('a.iso');
  const listed = (...flags: string[]): string[] => lines(run('isoinfo', ...flags, '-f', '-i', path));
  expect(listed('-R')).toEqual(NAMES.map(name => `/${name}`));
  expect(listed('-J')).toEqual(NAMES.map(name => `/${name}`));
  expect(listed()).toEqual(['METADATA', 'NETWORKC', 'USERDATA', 'VENDORDA'].map(name => `/${name}.;1`));
  expect(run('isoinfo', '-d', '-i', path)).toContain('Volume id: cidata');
  expect(run('isoinfo', '-R', '-x', '/vendor-data', '-i', path)).toBe(INPUT.vendorData);
});

withProgram('xorriso', 'xorriso takes every file out as it went in', () => {
  const out = join(folder, 'out');
  run('xorriso', '-osirrox', 'on', '-indev', file('b.iso'), '-extract', '/', out);
  expect(lines(run('ls', out))).toEqual(NAMES);
  expect(run('cat', join(out, 'vendor-data'))).toBe(INPUT.vendorData);
  run('chmod', '-R', 'u+w', out);
});

withProgram('blkid', 'blkid finds the label that cloud-init looks for', () => {
  const told = run('blkid', '-p', '-o', 'export', file('c.iso'));
  expect(lines(told)).toEqual(expect.arrayContaining(['LABEL=cidata', 'TYPE=iso9660']));
});

withProgram('cloud-init', 'cloud-init takes the cloud-config as valid', () => {
  const path = join(folder, 'user-data');
  writeFileSync(path, run('isoinfo', '-R', '-x', '/user-data', '-i', file('d.iso')));
  expect(run('cloud-init', 'schema', '--config-file', path)).toContain('Valid');
});

withProgram('cloud-init', 'the NoCloud source reads it, and cloud-init understands all parts of it', () => {
  for (const [name, input] of [
    ['e', INPUT],
    ['f', MULTIPART],
  ] as const) {
    const seed = join(folder, name, 'seed', 'nocloud');
    run('mkdir', '-p', join(folder, name, 'seed'));
    run('xorriso', '-osirrox', 'on', '-indev', file(`${name}.iso`, input), '-extract', '/', seed);
    run('chmod', '-R', 'u+w', seed);
    expect(JSON.parse(run('/usr/bin/python3', '-c', READ, join(folder, name)))).toEqual({
      id: expect.stringMatching(/^pvr-[0-9a-f]{24}$/),
      host: 'web',
      config: expect.objectContaining({
        packages: ['nginx'],
        user: 'ops',
        ssh_authorized_keys: [KEY],
        package_upgrade: true,
      }),
      cards: {
        eth0: ['bc:24:11:00:00:01', ['192.0.2.10', '2001:db8::10'], null],
        eth1: ['bc:24:11:00:00:02', ['dhcp4'], true],
      },
    });
  }
});

/** What cloud-init of Debian makes of a seed folder. */
const READ = `
import json, sys
from cloudinit import helpers, sources, util
from cloudinit.net import network_state
from cloudinit.sources.DataSourceNoCloud import DataSourceNoCloud
root = sys.argv[1]
paths = helpers.Paths({"cloud_dir": root, "run_dir": root, "templates_dir": root})
source = DataSourceNoCloud({}, None, paths)
source._get_devices = lambda label: []
assert source._get_data()
config = {}
for part in source.get_userdata().walk():
    if part.get_content_type() == "text/cloud-config":
        text = util.fully_decoded_payload(part)
        config.update(util.load_yaml(text if isinstance(text, str) else text.decode()))
state = network_state.parse_net_config_data(source.network_config)
cards = {}
for card in state.iter_interfaces():
    said = [s.get("address") or s["type"] for s in card["subnets"]]
    cards[card["name"]] = [card["mac_address"], said, card.get("accept-ra")]
print(json.dumps({"id": source.metadata["instance-id"], "host": source.metadata["local-hostname"], "config": config, "cards": cards}))
`;
