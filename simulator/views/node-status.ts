import type { Sim } from '../cluster/sim';
import type { Node } from '../world';
import { nodeFigures } from './node-figures';

const GiB = 1024 ** 3;

/** The commit that the simulated release was built from. */
export const REPOSITORY_ID = '14a22df3c1d1a0b8';

/** What a node tells of itself. Its hardware and its load are made up; sizes and uptime are those of the world. */
export function nodeStatus(sim: Sim, node: Node): Record<string, unknown> {
  const { cpu, mem = 0, maxmem = 0, disk = 0, maxdisk = 0, uptime } = nodeFigures(sim, node);
  return {
    'boot-info': { mode: 'efi', secureboot: 0 },
    'current-kernel': KERNEL,
    kversion: `${KERNEL.sysname} ${KERNEL.release} ${KERNEL.version}`,
    pveversion: `pve-manager/${sim.world.version.version}/${REPOSITORY_ID}`,
    cpu,
    wait: 0,
    idle: 0,
    loadavg: ['0.10', '0.12', '0.09'],
    uptime,
    cpuinfo: cpuInfo(node),
    memory: { total: maxmem, used: mem, free: maxmem - mem, available: maxmem - mem },
    rootfs: { total: maxdisk, used: disk, free: maxdisk - disk, avail: maxdisk - disk },
    swap: { total: 8 * GiB, used: 0, free: 8 * GiB },
    ksm: { shared: 0 },
  };
}

const KERNEL = {
  sysname: 'Linux',
  release: '6.17.4-1-pve',
  version: '#1 SMP PREEMPT_DYNAMIC PMX 6.17.4-1',
  machine: 'x86_64',
};

function cpuInfo({ cpus }: Node): Record<string, unknown> {
  return {
    model: 'Simulated CPU @ 2.40GHz',
    sockets: 1,
    cores: cpus,
    cpus,
    mhz: '2400.000',
    hvm: '1',
    user_hz: 100,
    flags: 'fpu vme msr pae cx8 apic sep pge cmov pat clflush mmx fxsr sse sse2 ht vmx aes avx avx2',
  };
}
