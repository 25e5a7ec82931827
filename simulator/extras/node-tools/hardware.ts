import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';

// all of it is made up: each server has one disk, and nothing of Ceph is installed

const NODE = '/nodes/{node}';

/** What monitors ask of a server's disks and of Ceph. */
export const nodeHardwareHandlers: HandlerTable = {
  [`GET ${NODE}/disks/list`]: call => (call.params['type'] === 'unused' ? [] : disksOf(call)),
  [`GET ${NODE}/disks/smart`]: smart,
  [`GET ${NODE}/ceph/status`]: withoutCeph,
  'GET /cluster/ceph/status': withoutCeph,
};

const DISK = '/dev/sda';
const HEALTH = 'PASSED';
const PARTITIONS = ['BIOS boot', 'EFI', 'LVM'];

function disksOf({ node, params }: Call): Record<string, unknown>[] {
  const shared = { gpt: 1, osdid: -1, 'osdid-list': null };
  const disk = {
    devpath: DISK,
    size: 512_110_190_592,
    used: 'partitions',
    type: 'ssd',
    rpm: 0,
    vendor: 'SIM',
    model: 'Simulated_SSD',
    serial: `SIM-${node}`,
    wwn: 'unknown',
    health: HEALTH,
    wearout: 100,
    ...shared,
  };
  if (params['include-partitions'] !== '1') return [disk];
  const parts = PARTITIONS.map((used, index) => ({
    devpath: `${DISK}${index + 1}`,
    parent: DISK,
    size: 1_073_741_824,
    type: 'partition',
    used,
    ...shared,
  }));
  return [disk, ...parts];
}

function smart({ params }: Call): Record<string, unknown> {
  const disk = params['disk'] ?? '';
  if (disk !== DISK) fail(`no such block device '${disk}'`);
  return { health: HEALTH, ...(params['healthonly'] !== '1' && { type: 'ata', attributes: [] }) };
}

function withoutCeph(): never {
  return fail('binary not installed: /usr/bin/ceph-mon');
}
