import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Image, Machine, PreparedImage, SpecError } from '../../constructs';
import { qcow2, sha256 } from '../support/cluster/image-server';
import { program, synthesized } from '../support/constructs/synthesized';

const [disk, newer] = [qcow2(2 ** 31), qcow2(2 ** 31, 'newer')];
const disks = [{ name: 'root', storage: 'local-lvm' }];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'images-'));
  file = path.join(folder, 'debian.qcow2');
  writeFileSync(file, disk);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file without a checksum is what it is at synth; somebody changes it, and the spec changes', () => {
  const synth = () =>
    synthesized(stack => void new Machine(stack, 'web', { image: Image.fromFile(file), disks })).spec('web');
  expect(synth()).toMatchObject({ image: { file, checksum: sha256(disk) } });
  writeFileSync(file, newer);
  expect(synth()).toMatchObject({ image: { file, checksum: sha256(newer) } });
});

test('a prepared image of a file: its templates tell what it is at synth, and machines are cloned from them', () => {
  const synth = () =>
    synthesized(stack => {
      const nodes = ['pve1', 'pve2'];
      const debian = new PreparedImage(stack, 'debian', { file, nodes, diskStorage: 'local-lvm' });
      new Machine(stack, 'web', { image: debian.image });
    });
  for (const content of [disk, newer]) {
    writeFileSync(file, content);
    const { spec } = synth();
    const id = `debian-${sha256(content).slice(7, 17)}`;
    expect(spec(`${id}-pve1`)).toMatchObject({
      asTemplate: true,
      image: { file, checksum: sha256(content) },
    });
    expect(spec('web')).toMatchObject({ image: { machine: id, replicas: ['pve1', 'pve2'] } });
  }
});

test('a file that is not there fails at synth without a checksum, and is read at apply with one', () => {
  const gone = path.join(folder, 'gone.qcow2');
  expect(() => Image.fromFile(gone)).toThrow(
    /The disk image .*gone\.qcow2 cannot be read: .*ENOENT.* Give its path/,
  );
  expect(() => Image.fromFile(folder)).toThrow(/The disk image .* cannot be read: .*EISDIR.* Give its path/);
  const prepared = (checksum?: string) =>
    program(
      stack =>
        void new PreparedImage(stack, 'debian', {
          ...{ file: gone, diskStorage: 'local-lvm' },
          ...(checksum && { checksum }),
        }),
    );
  expect(() => prepared()).toThrow(SpecError);
  expect(() => prepared()).toThrow(
    /\/debian: The disk image .*gone\.qcow2 cannot be read: .*ENOENT.* Give its path/,
  );
  expect(() => prepared(sha256(disk))).not.toThrow();
});
