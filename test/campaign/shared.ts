/**
 * Four hosts share three clusters with 2,000 machines: `npm run test:campaign:shared -- [MACHINES] [SECONDS]`. A host is killed
 * every 5 s and begins again, PostgreSQL is restarted twice, one cluster is out of reach for a minute. Prints what was lost,
 * what was made twice, and how long the rest took.
 */
import { balance, doubled, sharedLab, until, type SharedLab } from '../support/lease/hosts';
import { startPostgres, type Postgres } from '../support/lease/postgres';

const [MACHINES = 2_000, SECONDS = 180] = process.argv.slice(2).map(Number);
const HOSTS = 4;
const CLUSTERS = 3;
const KILL_EVERY_MS = 5_000;
const GONE_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

function machinesOf(cluster: string, tag: string) {
  const count = Math.floor(MACHINES / CLUSTERS) + (cluster === 'c1' ? MACHINES % CLUSTERS : 0);
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    image: { blank: true },
    memory: '64Mi',
    node: `pve${1 + (index % 3)}`,
    tags: [tag],
  }));
}

/** The guests of ours in a cluster, how often each name is there, and how many are as they are wanted. */
function stateOf({ simulator }: SharedLab['clusters'][number], tag: string) {
  const names = new Map<string, number>();
  let good = 0;
  for (const { config, running } of Object.values(simulator.world.guests)) {
    const name = String(config['name']);
    if (!/^m\d+$/.test(name)) continue;
    names.set(name, (names.get(name) ?? 0) + 1);
    if (running !== null && String(config['tags']).split(';').includes(tag)) good += 1;
  }
  return { made: names.size, good, twice: [...names.values()].filter(count => count > 1).length };
}

async function disturb(lab: SharedLab, postgres: Postgres, seconds: number): Promise<number> {
  const [, gone] = lab.clusters;
  const from = performance.now();
  const restarts = [seconds / 3, (seconds * 2) / 3];
  let kills = 0;
  let isCut = false;
  while (performance.now() - from < seconds * 1000) {
    await sleep(KILL_EVERY_MS);
    const host = lab.hosts[kills % HOSTS];
    if (host === undefined) break;
    host.running.child.kill('SIGKILL');
    await host.running.ended;
    host.begin();
    kills += 1;
    const passedMs = performance.now() - from;
    if (!isCut && passedMs > 20_000) {
      isCut = true;
      gone?.cable?.cut();
      setTimeout(() => gone?.cable?.mend(), GONE_MS);
      console.log(`${(passedMs / 1000).toFixed(0)} s: cluster c2 is out of reach`);
    }
    if (passedMs > (restarts[0] ?? Infinity) * 1000) {
      restarts.shift();
      await postgres.stop();
      await postgres.start();
      console.log(`${(passedMs / 1000).toFixed(0)} s: PostgreSQL is restarted`);
    }
    if (kills % 6 === 0)
      console.log(
        `${(passedMs / 1000).toFixed(0)} s: ${kills} kills`,
        ...lab.clusters.map(each => JSON.stringify(stateOf(each, 'one'))),
      );
  }
  return kills;
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  const lab = await sharedLab(postgres.port, {
    clusters: CLUSTERS,
    machines: cluster => machinesOf(cluster, 'one'),
    isCabled: true,
    environment: { RECONCILE_INTERVAL: '5s', MAX_CONCURRENT_RECONCILES: '5' },
  });
  try {
    for (let n = 0; n < HOSTS; n += 1) await lab.addHost();
    const kills = await disturb(lab, postgres, SECONDS);
    const isDone = (tag: string): boolean =>
      lab.clusters.every(each => stateOf(each, tag).good === machinesOf(each.name, tag).length);
    const drainMs = await until(() => isDone('one'), 'the backlog does not drain', 3_600);
    for (const { name } of lab.clusters) lab.want(name, machinesOf(name, 'two'));
    const changeMs = await until(() => isDone('two'), 'a change of all does not come', 3_600);
    const twice = lab.clusters.reduce((sum, each) => sum + stateOf(each, 'two').twice, 0);
    const both = lab.clusters.flatMap(doubled);
    for (const line of both) console.log(`doubled: ${line}`);
    const writes = lab.clusters.reduce((sum, each) => sum + each.writes.length, 0);
    const takeovers = lab.clusters.reduce((sum, each) => sum + each.held.length, 0);
    console.log(
      `shared: ${MACHINES} machines, ${kills} kills, ${takeovers} times a host took a cluster, ${writes} writes`,
    );
    console.log(
      `lost 0, made twice ${twice}, writes of a host after another one had begun ${both.length}; drained ${(drainMs / 1000).toFixed(0)} s after the last kill; a change of all took ${(changeMs / 1000).toFixed(0)} s; at the end ${String(await balance(lab.hosts))}`,
    );
    if (twice + both.length > 0) process.exitCode = 1;
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
    for (const each of lab.clusters) console.error(each.name, stateOf(each, 'one'), stateOf(each, 'two'));
    for (const { name, running } of lab.hosts) console.error(name, running.stderr().slice(-3_000));
  } finally {
    await lab.close();
    await postgres.close();
  }
}

void main();
