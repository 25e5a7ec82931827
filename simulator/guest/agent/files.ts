import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';

const STAGES = ['init-local', 'init', 'modules-config'];

/** What stands in a file of a guest that has booted; undefined: there is no such file. Only cloud-init writes files here. */
export function guestFile(sim: Sim, { running, system }: Guest, path: string): string | undefined {
  const { kind, ms, errors } = system.cloudInit ?? { kind: 'runs', ms: 0, errors: [] };
  if (kind === 'disabled' && path === '/run/cloud-init/disabled') return '';
  if (kind !== 'runs' || running === null) return undefined;
  const booted = (running.booted ?? running.since) + system.bootMs;
  const isDone = sim.clock.now() >= booted + ms;
  const stage = (said: string[], finished: boolean): unknown => ({
    errors: said,
    recoverable_errors: {},
    start: booted / 1000,
    finished: finished ? (booted + ms) / 1000 : null,
  });
  // assumed from cloud-init's own documentation of these two files
  const datasource = 'DataSourceNoCloud [seed=/dev/sr0]';
  const stages = Object.fromEntries(STAGES.map(name => [name, stage([], true)]));
  const files: Record<string, unknown> = {
    '/run/cloud-init/status.json': {
      v1: {
        datasource,
        ...stages,
        'modules-final': stage(isDone ? errors : [], isDone),
        stage: isDone ? null : 'modules-final',
      },
    },
    ...(isDone ? { '/run/cloud-init/result.json': { v1: { datasource, errors } } } : {}),
  };
  return files[path] === undefined ? undefined : `${JSON.stringify(files[path], undefined, 1)}\n`;
}
