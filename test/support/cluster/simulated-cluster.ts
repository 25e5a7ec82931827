import { defaultWorld, startSimulator } from '../../../simulator';

/** A cluster of three nodes in this process, and what a program must have in its environment to reach it. */
export async function simulatedCluster() {
  const world = defaultWorld(3);
  const root = world.access.users['root@pam']!;
  root.tokens['lab'] = { value: 'lab-secret', privsep: false };
  const simulator = await startSimulator(world, { taskMs: 20, seed: 1, lagMs: 0 });
  const strangers = Object.keys(simulator.world.guests);
  return {
    access: {
      PVE_ENDPOINT: simulator.url,
      PVE_TOKEN_ID: 'root@pam!lab',
      PVE_TOKEN_SECRET: 'lab-secret',
      PVE_CA_BUNDLE: simulator.ca,
      PVE_TASK_POLL_INTERVAL: '50ms',
    },
    /** The configurations of the guests that came since the start, with their vmids, by their names. */
    guests: (): Record<string, Record<string, unknown>> =>
      Object.fromEntries(
        Object.entries(simulator.world.guests)
          .filter(([vmid]) => !strangers.includes(vmid))
          .map(([vmid, { config }]) => [String(config['name']), { ...config, vmid: Number(vmid) }]),
      ),
    close: () => simulator.close(),
  };
}
