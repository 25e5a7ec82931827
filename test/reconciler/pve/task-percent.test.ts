import { percentOf } from '../../../reconciler/pve/answers/task-percent';

test.each<[written: string, lines: string[], percent: number | undefined]>([
  [
    'a copy of qemu-img',
    ['transferred 0.0 B of 1.0 GiB (0.00%)', 'transferred 1.0 GiB of 4.0 GiB (25.00%)'],
    25,
  ],
  ['its end', ['transferred 1.0 GiB of 1.0 GiB (100.00%)'], 100],
  ['a mirror', ['drive-scsi0: transferred 1.3 GiB of 4.0 GiB (32.51%) in 4s'], 32],
  [
    'memory',
    ['2026-01-01 00:00:00 migration active, transferred 512.0 MiB of 4.0 GiB VM-state, 110.0 MiB/s'],
    12,
  ],
  ['a download', [' 32768K ........ ........ ........ ........  6%  112M 4s'], 6],
  [
    'the last of several',
    ['transferred 1.0 GiB of 4.0 GiB (25.00%)', 'create full clone of drive scsi1 (a:b)'],
    25,
  ],
  ['no copy', ['creating a clone of VM 9000 with ID 100'], undefined],
  ['the end of a migration', ['migration completed, transferred 1.2 MiB VM-state'], undefined],
  ['nothing to send', ['migration active, transferred 0.0 B of 0.0 B VM-state, 0 B/s'], undefined],
  ['more than all', ['migration active, transferred 5.0 GiB of 4.0 GiB VM-state, 1.0 MiB/s'], undefined],
  ['nothing', [], undefined],
])('%s', (_, lines, percent) => expect(percentOf(lines)).toBe(percent));
