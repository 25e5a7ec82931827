import type { Node } from '../world';

const GiB = 1024 ** 3;

/** One node as the default cluster has it, by its number from 1. */
export function defaultNode(nodeid: number): Node {
  return {
    name: `pve${nodeid}`,
    nodeid,
    ip: `192.0.2.${nodeid}`,
    online: true,
    apiUp: true,
    bridges: ['vmbr0', 'vmbr1', 'vmbr2'],
    cpus: 16,
    memory: 64 * GiB,
    bootedAt: 1_699_000_000,
  };
}
