import type { PveProperty } from './pve-key';

/** Properties of a drive without a default, by their names. */
const numbers = (names: string): Record<string, PveProperty> =>
  Object.fromEntries(names.split(' ').map(name => [name, { kind: 'number' }]));

/** `live: false`: its change waits for a restart, and the whole line with it (recording g3). */
export const DRIVE_PROPERTIES: Readonly<Record<string, PveProperty>> = {
  aio: { live: false },
  cache: { default: 'none', live: false },
  detect_zeroes: { kind: 'boolean', live: false },
  discard: { default: 'ignore', live: false },
  iothread: { kind: 'boolean', default: '0', live: false },
  product: { live: false },
  queues: { kind: 'number', live: false },
  ro: { kind: 'boolean', default: '0', live: false },
  ssd: { kind: 'boolean', default: '0', live: false },
  vendor: { live: false },
  backup: { kind: 'boolean', default: '1' },
  replicate: { kind: 'boolean', default: '1' },
  scsiblock: { kind: 'boolean', default: '0' },
  shared: { kind: 'boolean', default: '0' },
  snapshot: { kind: 'boolean', default: '0' },
  ...numbers('bps bps_max_length bps_rd bps_rd_max_length bps_wr bps_wr_max_length'),
  ...numbers('iops iops_max iops_max_length iops_rd iops_rd_max iops_rd_max_length'),
  ...numbers('iops_wr iops_wr_max iops_wr_max_length'),
  ...numbers('mbps mbps_max mbps_rd mbps_rd_max mbps_wr mbps_wr_max'),
};

export const DRIVE_ALIASES: Readonly<Record<string, string>> = {
  volume: 'file',
  bps_rd_length: 'bps_rd_max_length',
  bps_wr_length: 'bps_wr_max_length',
  iops_rd_length: 'iops_rd_max_length',
  iops_wr_length: 'iops_wr_max_length',
};
