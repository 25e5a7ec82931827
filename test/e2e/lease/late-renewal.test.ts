import type { BeginCluster } from '../../../reconciler/daemon/sharing';
import { ClusterLocks } from '../../../reconciler/lease/postgres-cluster-locks';
import { PostgresSession } from '../../../reconciler/lease/postgres-session';
import { SharedClusters } from '../../../reconciler/lease/shared-clusters';
import { until } from '../../support/lease/hosts';
import { noPostgres, startPostgres } from '../../support/lease/postgres';
import { skipped } from '../../support/skipped';

const why = noPostgres();
if (why !== undefined) skipped('a host whose renewals come late', why);
else
  test('a host that loses a cluster by its own clock, and keeps its session, lets go of it', async () => {
    const postgres = await startPostgres();
    const stop = new AbortController();
    const said: string[] = [];
    let begun = 0;
    const begin: BeginCluster = (_, held) => {
      begun += 1;
      // a process that hangs for longer than it may write, and for less than PostgreSQL ends its session after
      if (begun === 1) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_200);
        expect(held.beforeWrite).toThrow('no renewal was answered in time');
      }
      const ended = new Promise<void>(resolve => {
        if (held.signal.aborted) return resolve();
        for (const signal of [held.signal, stop.signal]) signal.addEventListener('abort', () => resolve());
      });
      const nothing = (): void => undefined;
      return Promise.resolve({ hold: nothing, isIdle: () => true, stop: nothing, ended });
    };
    const locks = (): ClusterLocks => new ClusterLocks(new PostgresSession(postgres.url, 'late'));
    const sharing = new SharedClusters(locks(), ({ message }) => void said.push(message));
    sharing.want(['lab']);
    const run = sharing.run(begin, stop.signal);
    // another host names the cluster too, and takes nothing: the cluster is left to it for a while
    const other = locks();
    const looking = setInterval(() => void other.look(['lab']), 300);
    try {
      await until(() => begun === 2, 'it never begins again', 30);
    } finally {
      clearInterval(looking);
      stop.abort();
      await run;
      await other.end();
      await postgres.close();
    }
    expect(said.filter(message => message === 'Lost the lease').length).toBe(1);
  });
