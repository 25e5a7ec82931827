/**
 * The same work by 1, 2 and 4 hosts that share 8 clusters: processor seconds of each host, and machines for one second of the
 * busiest. So it says what hosts of their own would do, also where all run on one computer.
 * `npm run bench:shared -- [machines of a cluster] [hosts…]`. Each host also asks PostgreSQL once a second: of a run that others slow
 * down, that time counts too.
 */
import { balance, get, sharedLab, until, type Host } from '../test/support/lease/hosts';
import { startPostgres } from '../test/support/lease/postgres';

const [EACH = 40, ...given] = process.argv.slice(2).map(Number);
const COUNTS = given.length > 0 ? given : [1, 2, 4];
const CLUSTERS = 8;

const machines = Array.from({ length: EACH }, (_, index) => ({
  id: `m${index}`,
  image: { blank: true },
  memory: '64Mi',
  node: `pve${1 + (index % 3)}`,
}));

async function processorSeconds(host: Host): Promise<number> {
  const { text } = await get(host, 'METRICS_BIND_ADDRESS', '/metrics');
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

async function measure(port: number, count: number): Promise<number> {
  const lab = await sharedLab(port, {
    clusters: CLUSTERS,
    machines: () => [],
    options: { taskMs: 1 },
    environment: { RECONCILE_INTERVAL: '30s' },
    args: ['--lease-name', `bench-${count}`],
  });
  try {
    for (let n = 0; n < count; n += 1) await lab.addHost();
    const share = String(Array.from({ length: count }, () => CLUSTERS / count));
    await until(async () => String(await balance(lab.hosts)) === share, 'they do not share', 180);
    const before = await Promise.all(lab.hosts.map(processorSeconds));
    const from = performance.now();
    for (const { name } of lab.clusters) lab.want(name, machines);
    const isDone = (): boolean =>
      lab.clusters.every(({ simulator }) => {
        const guests = Object.values(simulator.world.guests);
        const ours = guests.filter(({ config, running }) => /^m\d+$/.test(String(config['name'])) && running);
        return ours.length === EACH;
      });
    await until(isDone, 'it is never done', 600);
    const tookMs = performance.now() - from;
    const after = await Promise.all(lab.hosts.map(processorSeconds));
    const used = after.map((seconds, index) => seconds - (before[index] ?? 0));
    const perSecond = (CLUSTERS * EACH) / Math.max(...used);
    console.log(
      `${count} hosts: ${CLUSTERS * EACH} machines in ${(tookMs / 1000).toFixed(1)} s; processor seconds ${used.map(each => each.toFixed(1)).join(', ')}; ${perSecond.toFixed(1)} machines for a processor second of the busiest`,
    );
    return perSecond;
  } finally {
    await lab.close();
  }
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    let first: number | undefined;
    for (const count of COUNTS) {
      const perSecond = await measure(postgres.port, count);
      first ??= perSecond;
      console.log(`  ${(perSecond / first).toFixed(2)} times the first`);
    }
  } finally {
    await postgres.close();
  }
}

void main();
