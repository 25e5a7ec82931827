import { Failure } from '../../../simulator/failure';
import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { ask } from './ask';
import { foreignTask } from './foreign-task';
import { startCluster } from './start-cluster';

/** A text that would be markup, and a script, where it is not escaped. */
export const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
export const LONG = 'a-very-long-name'.repeat(3);

/** Eight guests, two tasks that run and two that ended badly and well, a fault, a node whose API is down, and some requests. */
export async function busyCluster(guests = 4): Promise<Simulator> {
  const world = defaultWorld(3, guests);
  const [legacy, , first, second] = [100, 101, 10_001, 10_002].map(vmid => world.guests[vmid]!);
  Object.assign(legacy!.config, { name: LONG, tags: 'db;keep', agent: '1' });
  Object.assign(first!.config, { description: HOSTILE, tags: `bulk;${HOSTILE}`, lock: 'backup' });
  Object.assign(second!.config, { name: HOSTILE });
  const simulator = await startCluster({ world, taskMs: 'by kind', timeScale: 1 });
  foreignTask(simulator, { type: 'qmclone', id: '9000', user: 'automation@pve!reconciler' });
  foreignTask(simulator, { type: 'vzdump', id: '10001', user: 'backup@pve' });
  const { tasks } = simulator.sim;
  const failing = tasks.start({ type: 'imgcopy', id: '', node: 'pve1', user: 'root@pam' }, task => {
    task.log(`copying ${HOSTILE}`);
    return Promise.reject(new Failure(500, `unable to open /var/lib/vz/import/${LONG}${LONG}.qcow2`));
  });
  await tasks.ended(failing);
  simulator.faults.add({
    methods: ['PUT'],
    path: '/nodes/*/qemu/*/config',
    count: 2,
    effect: { kind: 'answer', status: 500, text: 'VM is locked (backup)' },
  });
  for (const path of [
    '/version',
    '/cluster/resources',
    '/nodes/pve1/qemu/9000/config',
    '/nodes/pve1/nothing',
  ])
    await ask(simulator, 'GET', path);
  await ask(simulator, 'PUT', '/nodes/pve1/qemu/9000/config', { form: { cores: '2' } });
  await ask(simulator, 'POST', '/_sim/node', { json: { action: 'api-down', node: 'pve2' } });
  return simulator;
}
