import { parseMachine, parseMachineClass, resolveMachine } from '../../spec';
import { valueOf } from './sample';

const small = valueOf(
  parseMachineClass({
    name: 'small',
    cpus: 2,
    memory: '4Gi',
    machine: 'q35',
    bios: 'uefi',
    storage: { class: 'nvme', type: 'thin' },
  }),
);
const Gi4 = 4 * 2 ** 30;

test('a class gives what the machine does not say', () => {
  expect(resolveMachine({ id: 'web' }, small)).toEqual({
    id: 'web',
    cpu: { cores: 2 },
    memory: Gi4,
    machine: 'q35',
    bios: 'uefi',
  });
});

test('the machine wins over the class, and the class over the defaults', () => {
  const defaults = { memory: '1Gi', bios: 'seabios', onBoot: true, cpu: { type: 'host', cores: 1 } };
  expect(resolveMachine({ id: 'web', cpu: { sockets: 2 }, machine: 'i440fx' }, small, defaults)).toEqual({
    id: 'web',
    cpu: { type: 'host', cores: 2, sockets: 2 },
    memory: Gi4,
    bios: 'uefi',
    onBoot: true,
    machine: 'i440fx',
  });
});

test('disks that name no storage get that of the class', () => {
  const disks = [
    { name: 'root' },
    { name: 'data', storage: 'hdd', allocation: 'thick' },
    { name: 'old', existingVolume: 'nfs:vm-1-disk-0' },
  ];
  expect(resolveMachine({ id: 'web', disks }, small).disks).toEqual([
    { name: 'root', storage: 'nvme', allocation: 'thin' },
    disks[1],
    disks[2],
  ]);
});

test('null says nothing, so what is below shows', () => {
  expect(resolveMachine({ id: 'web', memory: null, cpu: null }, small)).toMatchObject({
    memory: Gi4,
    cpu: { cores: 2 },
  });
});

test('a default that the machine clears is not written in', () => {
  const resolved = resolveMachine({ id: 'web', clear: ['description'] }, undefined, {
    description: 'from the cluster',
  });
  expect(resolved).toEqual({ id: 'web', clear: ['description'] });
  expect(parseMachine(resolved).ok).toBe(true);
});

test('a value that is not known yet passes through', () => {
  const unknown = { $unknown: 'var.cores' };
  expect(resolveMachine({ id: 'web', cpu: { cores: unknown } }, small).cpu).toEqual({ cores: unknown });
});
