import { formatProblems, parseMachine } from '../../spec';
import { clusterProblems, machine, machineProblems, problemsIn, stateProblems } from './sample';

const lines = (said: Record<string, unknown>) => formatProblems(machineProblems(said)).split('\n');

describe('a message says where, what was given, what is allowed and what to do', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'too large',
      { cpu: { cores: 200 } },
      'machines[web].cpu.cores: 200 is too large; allowed: a whole number from 1 to 128. Lower it to 128 or less.',
    ],
    [
      'larger than any number that is exact',
      { cpu: { cores: 1e300 } },
      'machines[web].cpu.cores: 1e+300 is too large; allowed: a whole number from 1 to 128. Lower it to 128 or less.',
    ],
    [
      'no number that anything can be',
      { cpu: { cores: Infinity } },
      'machines[web].cpu.cores: Infinity is not valid; allowed: a whole number from 1 to 128. Use a value that is allowed.',
    ],
    [
      'smaller than any',
      { vmid: -1e20 },
      'machines[web].vmid: -100000000000000000000 is too small; allowed: a whole number from 100 to 999999999. Raise it to 100 or more.',
    ],
    [
      'too small',
      { vmid: 99 },
      'machines[web].vmid: 99 is too small; allowed: a whole number from 100 to 999999999. Raise it to 100 or more.',
    ],
    [
      'a size that no number holds',
      { memory: '999999999999Ti' },
      'machines[web].memory: "999999999999Ti" is not valid; allowed: a size of at least 64Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G". Lower it: 8191Ti is the most that can be said.',
    ],
    [
      'a template that is said without its field',
      { image: 'debian-12' },
      'machines[web].image: "debian-12" is not valid; allowed: an object such as {"template": "debian-12"}. Write {"template": "debian-12"}.',
    ],
    [
      'an ISO that is said without its field',
      { image: 'local:iso/debian.iso' },
      'machines[web].image: "local:iso/debian.iso" is not valid; allowed: an object such as {"template": "debian-12"}. Write {"iso": "local:iso/debian.iso"}.',
    ],
    [
      'a number in quotes',
      { vmid: '100' },
      'machines[web].vmid: "100" is not valid; allowed: a whole number from 100 to 999999999. Remove the quotes: 100.',
    ],
    [
      'a boolean in quotes',
      { onBoot: 'true' },
      'machines[web].onBoot: "true" is not valid; allowed: true or false. Remove the quotes: true.',
    ],
    [
      'a mistyped choice',
      { power: 'runing' },
      'machines[web].power: "runing" is not valid; allowed: "running", "stopped", "unmanaged". Did you mean "running"?',
    ],
    [
      'a mistyped choice beside an object',
      { waitFor: 'adress' },
      'machines[web].waitFor: "adress" is not valid; allowed: "nothing", "agent", "address" or {"address": {"family": "ipv4"}}. Did you mean "address"?',
    ],
    [
      'a number that is a word',
      { hugepages: 1024 },
      'machines[web].hugepages: 1024 is not valid; allowed: "2", "1024", "any". Put it in quotes: "1024".',
    ],
    [
      'no list',
      { tags: 'a' },
      'machines[web].tags: "a" is not valid; allowed: a list. Put it into a list: [ … ].',
    ],
    [
      'a size below its least',
      { disks: [{ name: 'root', size: 0 }] },
      'machines[web].disks[root].size: 0 is not valid; allowed: a size of at least 1Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G". Raise it to "1Mi" or more.',
    ],
    [
      'a size with a decimal suffix',
      { memory: '4GB' },
      'machines[web].memory: "4GB" is not valid; allowed: a size of at least 64Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G". Write "4Gi": every suffix is a power of 1024.',
    ],
    [
      'an address without prefix',
      { networks: [{ name: 'lan', ipv4: { address: '10.0.0.5' } }] },
      'machines[web].networks[lan].ipv4.address: "10.0.0.5" is not valid; allowed: an address with its prefix, such as "192.0.2.10/24". Add the prefix, for example "10.0.0.5/24".',
    ],
    [
      'a name with "_"',
      { name: 'web_1' },
      'machines[web].name: "web_1" is not valid; allowed: DNS labels joined by ".": letters, digits and "-", no "_", at most 63 characters. For example "web-1".',
    ],
    [
      'a missing field',
      { disks: [{ size: '1G' }] },
      'machines[web].disks[0].name: is required; allowed: a DNS label: letters, digits and "-", not at either end, at most 63 characters. Add it.',
    ],
    [
      'a bad key',
      { labels: { 'a b': 'c' } },
      'machines[web].labels["a b"]: "a b" is not valid; allowed: a label: letters, digits, ".", "_", "/" and "-", not at either end. Use a value that is allowed.',
    ],
  ])('%s', (_, said, message) => expect(lines(said)).toEqual([message]));
});

describe('an unknown field names the one that was meant', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['mistyped', { memroy: '1Gi' }, 'memroy', 'Did you mean "memory"?'],
    ['in the case of PVE', { onboot: true }, 'onboot', 'Use "onBoot".'],
    ['of HA rules', { ha: { rules: [] } }, 'ha.rules', 'Make it in Proxmox (ha-manager rules add)'],
    ['of their nodes', { ha: { nodes: ['pve1'] } }, 'ha.nodes', 'one HA rule speaks of several machines'],
    ['of the desired state', { snapshots: [] }, 'snapshots', 'Name it beside the machines, in "snapshots"'],
    ['deeper', { threadsPerCore: 2 }, 'threadsPerCore', 'Use "cpu.threadsPerCore".'],
    ['mistyped and deeper', { corse: 2 }, 'corse', 'Did you mean "cpu.cores"?'],
    ["PVE's name of a field", { scsihw: 'lsi' }, 'scsihw', 'Use "scsiController".'],
    ["PVE's numbered name", { scsi0: 'local:8' }, 'scsi0', 'Use "disks".'],
    ['a key of PVE without a field', { args: '-x' }, 'args', 'Move it into "options".'],
    [
      'a key that is ours',
      { digest: 'x' },
      'digest',
      'Remove it: it belongs to how a change is made, which the reconciler decides.',
    ],
    ["another tool's name", { template: 'ubuntu' }, 'template', 'Use "image.template".'],
    [
      'a class',
      { class: 'small' },
      'class',
      'Give cpu, memory, machine, bios here: classes are resolved before.',
    ],
    ['in a list', { networks: [{ name: 'lan', mac: 'x' }] }, 'networks[lan].mac', 'Use "macAddress".'],
    ['in one of two shapes', { agent: { typ: 'isa' } }, 'agent.typ', 'Did you mean "type"?'],
    [
      'in a nested shape',
      { networks: [{ name: 'lan', ipv4: { address: '10.0.0.5/24', gatway: '10.0.0.1' } }] },
      'networks[lan].ipv4.gatway',
      'Did you mean "gateway"?',
    ],
    ['like nothing', { zzzzzz: 1 }, 'zzzzzz', 'Remove it.'],
    ['named like a method', { toString: 1 }, 'toString', 'Remove it.'],
  ])('%s', (_, said, path, remedy) => {
    const problems = machineProblems(said);
    expect(problems.map(problem => problem.path)).toEqual([`machines[web].${path}`]);
    expect(problems[0]).toMatchObject({
      kind: 'unknown-field',
      remedy: expect.stringContaining(remedy) as string,
    });
  });

  test('few fields are listed, many only when none was meant', () => {
    expect(machineProblems({ agent: { typ: 'isa' } })[0]?.allowed).toBe(
      'enabled, type, fstrimClonedDisks, freezeFs',
    );
    expect(machineProblems({ memroy: 1 })[0]?.allowed).toBeUndefined();
    expect(machineProblems({ zzzzzz: 1 })[0]?.allowed).toContain('memory');
  });
});

describe('all problems come at once', () => {
  test('fields and what is between them, in every machine', () => {
    const paths = stateProblems({
      cluster: { name: 'lab', nodes: ['pve1'] },
      machines: [
        machine({ cpu: { cores: 3, threadsPerCore: 2 }, memroy: 1 }),
        { id: 'not an id', vmid: 1 },
        machine({
          id: 'db',
          node: 'pve2',
          disks: [
            { name: 'a', size: 0 },
            { name: 'a', size: '1G', type: 'sata', iothread: true },
          ],
        }),
      ],
    }).map(({ path }) => path);
    expect(paths).toEqual([
      'machines[web].memroy',
      'machines[1].id',
      'machines[1].vmid',
      'machines[db].disks[0].size',
      'machines[web].cpu.cores',
      'machines[db].disks[1].name',
      'machines[db].disks[1].iothread',
      'machines[db].node',
    ]);
  });

  test('a field that is wrong makes no second problem elsewhere', () => {
    expect(machineProblems({ pin: true, node: 'pve 1' }).map(({ path }) => path)).toEqual([
      'machines[web].node',
    ]);
    expect(machineProblems({ image: { template: '' } }).map(({ path }) => path)).toEqual([
      'machines[web].image.template',
    ]);
    expect(machineProblems({ disks: [{ name: 'a', size: 'x' }] }).map(({ path }) => path)).toEqual([
      'machines[web].disks[a].size',
    ]);
  });
});

describe('what is wrong in the document hides nothing in its machines', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['the version', { version: 2 }, 'version'],
    ['the owner', { owner: '' }, 'owner'],
    ['the cluster', { cluster: {} }, 'cluster.name'],
  ])('%s', (_, said, path) => {
    const problems = stateProblems({ ...said, machines: [machine({ pin: true })] });
    expect(problems.map(problem => problem.path)).toEqual([path, 'machines[web].node']);
  });

  test('another version says which way to go', () =>
    expect(stateProblems({ version: 2 })[0]?.remedy).toContain('reads version 1'));
  it('says what is wrong with a version in quotes', () =>
    expect(stateProblems({ version: '1' })[0]?.remedy).toBe('Write it without quotes.'));
});

describe('secrets are never shown', () => {
  const planted = 'hunter2';
  test.each<[string, () => unknown]>([
    ['a password in cloud-init', () => machineProblems({ cloudInit: { password: planted } })],
    ['a password where a reference belongs', () => machineProblems({ cloudInit: { passwordFrom: planted } })],
    [
      'inside an object that is wrong',
      () => machineProblems({ cloudInit: [{ user: 'a', password: planted }] }),
    ],
    ['a token in credentials', () => clusterProblems({ credentials: { tokenSecret: planted } })],
    ['a password in the cluster', () => clusterProblems({ password: planted })],
    ['a password in an address', () => clusterProblems({ endpoint: `https://root:${planted}@pve` })],
    [
      'a password in an image address',
      () =>
        machineProblems({
          image: { url: `https://root:${planted}@host/a.img`, checksum: `md5:${'a'.repeat(32)}` },
        }),
    ],
    [
      'a private key',
      () => clusterProblems({ clientCertificate: `-----BEGIN PRIVATE KEY-----\n${planted}` }),
    ],
    ['user data of the wrong kind', () => machineProblems({ cloudInit: { userData: [planted] } })],
    ['a machine of the wrong kind', () => problemsIn(parseMachine([{ cloudInit: { password: planted } }]))],
  ])('%s', (_, problems) => {
    const found = problems();
    expect(found).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain(planted);
  });

  test('a field that is only called "key" is no secret', () =>
    expect(
      machineProblems({ placement: { antiAffinity: [{ key: 'a b', operator: 'Exists' }] } })[0]?.value,
    ).toBe('"a b"'));

  test('what to do instead is said', () => {
    expect(clusterProblems({ credentials: { tokenSecret: planted } })[0]?.remedy).toContain(
      'environment variable',
    );
    expect(machineProblems({ cloudInit: { password: planted } })[0]?.remedy).toContain('passwordFrom');
  });
});
