import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TerraformStack, Testing } from 'cdktf';
import type * as Package from '../../constructs';
import { sharedMap } from '../../constructs/private/copies';
import {
  Image,
  Machine,
  PreparedImage,
  ProxmoxCluster,
  ProxmoxNode,
  RemovedCluster,
  Size,
  Snapshot,
} from '../../constructs';

/** The package a second time, as a library with a node_modules of its own loads it: with its own cdktf, too. */
function secondCopy(): typeof Package {
  let copy: unknown;
  jest.isolateModules(() => {
    copy = jest.requireActual('../../constructs');
  });
  return copy as typeof Package;
}

const library = secondCopy();
const newStack = (): TerraformStack => new TerraformStack(Testing.app(), 'web');

interface Stack {
  resource: { null_resource: Record<string, object> };
}
let made = 0;
const fresh = (): string => `made-${++made}`;
const image = Image.fromTemplate('debian-13');

test('they are two', () => {
  expect(library.Machine).not.toBe(Machine);
  expect(library.Size).not.toBe(Size);
});

describe('a library of constructs with a copy of its own', () => {
  test.each([
    ['finds the cluster of the stack', false],
    ['takes the cluster that it is given', true],
  ])('%s', (_, isGiven) => {
    const stack = newStack();
    const cluster = new ProxmoxCluster(stack, 'lab');
    const given = isGiven ? { cluster } : {};
    new Machine(stack, 'own', { image });
    const web = new library.Machine(stack, 'web', { image, memory: library.Size.gibibytes(2), ...given });
    new library.ProxmoxNode(stack, 'pve1', given);
    new Snapshot(stack, 'clean', { machine: web });
    const made = Testing.synth(stack, true);
    expect(Object.keys((JSON.parse(made) as Stack).resource.null_resource).sort()).toEqual([
      'machine_lab_own',
      'machine_lab_web',
      'machines_lab',
      'snapshot_lab_web_clean',
      'snapshots_lab',
    ]);
  });

  test('writes the stack that one copy writes', () => {
    const [one, two] = [{ Machine, PreparedImage, Image }, library].map(each => {
      const stack = newStack();
      new ProxmoxCluster(stack, 'lab');
      const debian = new each.PreparedImage(stack, 'debian', { template: 'debian-13' });
      const web = new each.Machine(stack, 'web', { image: debian.image });
      new each.Machine(stack, 'copy', { image: Image.fromMachine(web), memory: `${web.vmid}Mi` });
      return Testing.synth(stack, true);
    });
    expect(two).toBe(one);
  });

  test('may not take a name or a source that the other one sees as taken, or elsewhere', () => {
    const stack = newStack();
    const lab = new ProxmoxCluster(stack, 'lab');
    const second = new library.ProxmoxCluster(stack, 'second');
    const web = new library.Machine(stack, 'web', { image, cluster: second });
    expect(() => new library.RemovedCluster(stack, 'gone', { name: 'lab' })).toThrow(
      "the cluster 'lab' is in this stack already",
    );
    expect(() => new Machine(stack, 'copy', { image: library.Image.fromMachine(web), cluster: lab })).toThrow(
      'of another cluster of this stack',
    );
    expect(() => new Machine(stack, 'none', { image })).toThrow(
      'the stack has several clusters: web/lab, web/second',
    );
    const userData = { content: library.Reference.fromEnvironment('DATA') };
    expect(
      () => new Machine(stack, 'data', { image, cluster: lab, cloudInit: { userData } as never }),
    ).toThrow('a Reference stands in the data');
    new RemovedCluster(stack, 'old', { name: 'old' });
  });
});

describe('what is no construct of ours', () => {
  const stack = newStack();
  new ProxmoxCluster(stack, 'lab');

  test.each([
    [
      'cluster',
      'no ProxmoxCluster',
      (given: unknown) => new ProxmoxNode(stack, fresh(), { cluster: given as ProxmoxCluster }),
    ],
    [
      'machine',
      'no Machine',
      (given: unknown) => new Snapshot(stack, fresh(), { machine: given as Machine }),
    ],
  ])('as %s is named, also where it has no JSON', (_, says, make) => {
    expect(() => make(stack)).toThrow(`the TerraformStack web is ${says}`);
    const loop: Record<string, unknown> = {};
    loop['itself'] = loop;
    expect(() => make(loop)).toThrow(`an object is ${says}`);
    expect(() => make('lab')).toThrow(`"lab" is ${says}`);
    expect(() => make(12n)).toThrow(`12 is ${says}`);
  });
});

describe('a copy of another version', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'copy-'));
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'cdktf-proxmox', version: '0.0.9' }),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is refused with both places, by every construct', () => {
    const stack = newStack();
    const cluster = new ProxmoxCluster(stack, 'lab');
    const web = new Machine(stack, 'web', { image });
    const folders = sharedMap<object, string>('folders');
    for (const each of [stack, cluster, web]) folders.set(each, path.join(folder, 'dist', 'constructs'));
    const makes = [
      () => new Machine(stack, fresh(), { image }),
      () => new Snapshot(stack, fresh(), { machine: web }),
      () => new ProxmoxCluster(stack, fresh()),
      () => new RemovedCluster(stack, fresh()),
    ];
    for (const make of makes) {
      expect(make).toThrow('two copies of this package are loaded, of two versions');
      expect(make).toThrow(`cdktf-proxmox 0.0.9 in ${folder}, and cdktf-proxmox 0.1.0 in ${path.resolve()}.`);
      expect(make).toThrow('peerDependencies');
    }
  });
});
