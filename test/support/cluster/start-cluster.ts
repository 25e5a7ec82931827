import type { Simulator, World } from '../../../simulator';
import { defaultWorld, startSimulator } from '../../../simulator';

/** Root himself: Proxmox takes some keys from no token. */
export const ROOT = { username: 'root@pam', password: 'root-password' };

/** The token of root that the recordings' world has too. */
export const TOKEN = { id: 'root@pam!full', secret: '11111111-1111-4111-8111-111111111111' };

/** Somebody else, who may do everything too. */
export const ADMINISTRATOR = { id: 'root@pam!admin', secret: 'admin-secret' };

type SimulatorOptions = NonNullable<Parameters<typeof startSimulator>[1]>;

export interface ClusterOptions extends Omit<SimulatorOptions, 'taskMs'> {
  /** Absent: three nodes with templates. */
  world?: World;
  /** How long each task takes, or as long as its kind does on Proxmox. Absent: no time. */
  taskMs?: number | 'by kind';
}

/** Lets root log in to a world, and gives him his tokens: also to one that a running simulator is reset to. */
export function openToRoot(world: World): World {
  const root = world.access.users['root@pam'];
  if (root) {
    root.password = ROOT.password;
    root.tokens['full'] = { value: TOKEN.secret, privsep: false };
    root.tokens['admin'] = { value: ADMINISTRATOR.secret, privsep: false };
  }
  return world;
}

/** Starts a simulated cluster where root can log in and has his tokens. */
export function startCluster({
  world = defaultWorld(3),
  taskMs = 0,
  ...options
}: ClusterOptions = {}): Promise<Simulator> {
  return startSimulator(openToRoot(world), { ...options, ...(taskMs === 'by kind' ? {} : { taskMs }) });
}
