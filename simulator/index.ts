/**
 * A Proxmox cluster that lives in memory and answers as a real one does.
 *
 * This room knows only Node. It shares no code with the reconciler, because it is what proves the reconciler:
 * it parses property strings, task ids and forms by itself.
 */
export { startSimulator, type ListenOptions, type Simulator } from './api/start';
export { defaultWorld } from './default-world/cluster';
export { namedWorld, WORLD_NAMES } from './worlds/named';
export { loadWorld } from './world-file/load';
export type { World } from './world';
