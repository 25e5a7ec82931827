import { drivesOf } from '../drives/drive';
import { memoryBytes } from './memory';
import type { Sim } from '../../cluster/sim';
import type { Config, Guest, Running } from '../../world';

const PRESSURES = {
  pressurecpufull: 0,
  pressurecpusome: 0,
  pressureiofull: 0,
  pressureiosome: 0,
  pressurememoryfull: 0,
  pressurememorysome: 0,
};

/** The qemu that all guests of the simulation run under. */
export const QEMU_VERSION = '10.1.2';

/** What the host's process table tells of a running guest. The numbers move with time and mean nothing. */
export function runningNumbers(sim: Sim, { config }: Guest, running: Running): Record<string, unknown> {
  const uptime = Math.max(0, Math.floor((sim.clock.now() - running.since) / 1000));
  const memory = memoryBytes(config['memory']);
  const cards = Object.keys(config).filter(key => /^net\d+$/.test(key)).length;
  return {
    pid: running.pid,
    uptime,
    cpu: running.qmp === 'running' ? 0.01 : 0,
    mem: Math.floor(memory / 4),
    memhost: Math.floor(memory / 3),
    netin: cards * uptime * 60,
    netout: cards * uptime * 20,
    ...PRESSURES,
  };
}

/** What qemu itself tells of a guest: its own word for the state, and when it runs its devices. */
export function runningStatus(guest: Guest): Record<string, unknown> {
  const { config, running } = guest;
  if (!running) return { qmpstatus: 'stopped' };
  return {
    qmpstatus: running.qmp,
    'running-machine': running.machine,
    'running-qemu': QEMU_VERSION,
    'proxmox-support': SUPPORT,
    diskread: 0,
    diskwrite: 0,
    ...blockStatistics(config),
    ...nics(guest),
    ...balloon(config),
  };
}

const SUPPORT = {
  backup: true,
  'backup-fleecing': true,
  'backup-max-workers': true,
  'pbs-dirty-bitmap': true,
  'pbs-dirty-bitmap-migration': true,
  'pbs-dirty-bitmap-savevm': true,
  'pbs-library-version': '2.0.1',
  'pbs-masterkey': true,
  'query-bitmap-info': true,
};

function blockStatistics(config: Config): Record<string, unknown> {
  const drives = drivesOf(config).filter(({ key }) => key !== 'tpmstate0');
  if (drives.length === 0) return {};
  const idle = { rd_bytes: 0, rd_operations: 0, wr_bytes: 0, wr_operations: 0 };
  return { blockstat: Object.fromEntries(drives.map(({ key }) => [key, idle])) };
}

function nics({ vmid, config }: Guest): Record<string, unknown> {
  const taps = Object.keys(config).flatMap(key => /^net(\d+)$/.exec(key)?.[1] ?? []);
  if (taps.length === 0) return {};
  return {
    nics: Object.fromEntries(taps.map(index => [`tap${vmid}i${index}`, { netin: 0, netout: 0 }])),
  };
}

function balloon(config: Config): Record<string, unknown> {
  // `balloon: 0` takes the device away, and with it all that is asked of it
  if (config['balloon'] === '0') return {};
  const memory = memoryBytes(config['memory']);
  return { balloon: memory, ballooninfo: { actual: memory, max_mem: memory } };
}
