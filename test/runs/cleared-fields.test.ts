import { clearedFieldFaults, fieldsThatStay } from '../support/runs/cleared-fields';

test('a field that is cleared leaves the machine as if it had never been said, and the next run changes nothing', async () => {
  expect(await clearedFieldFaults()).toEqual([]);
});

test('what a machine always has cannot be cleared', () => {
  expect(fieldsThatStay().map(field => field.replace(/\[\w+\]/, '[]'))).toEqual([
    'name',
    'efiDisk.storage',
    'efiDisk.type',
    'efiDisk.format',
    'efiDisk.microsoftCertificates',
    'secureBoot',
    'disks[].size',
    'disks[].storage',
    'networks[].bridge',
    'networks[].model',
    'networks[].macAddress',
  ]);
});
