/**
 * The ISO of cloud-init data, and what its flows ask: `npx tsx bench/data-iso.ts`. The simulator runs in this process, so
 * that only calls and bytes are told of the flows, and no time.
 */
import { dataIso } from '../reconciler/machine/data-iso/data-iso';
import { defaultWorld } from '../simulator';
import { lab, type Json, type Lab } from '../test/support/cluster/lab';

const RUNS = 200;
const LIMIT = 64 * 1024;
const FLEET = [3, 200] as const;

function milliseconds(): number[] {
  const text = `#!/bin/sh\n# ${'x'.repeat(LIMIT - 13)}\n`;
  const card = { network: { name: 'lan', ipv4: 'dhcp' as const }, index: 0, mac: 'BC:24:11:00:00:01' };
  const all: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    dataIso({ uuid: String(run), hostname: 'web', userData: text, fields: {}, cards: [card] });
    all.push(performance.now() - started);
  }
  return all.sort((one, other) => one - other);
}

const blank = {
  id: 'web',
  image: { blank: true },
  memory: '64Mi',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const withData = (text: string): Json => ({ ...blank, cloudInit: { userData: `#!/bin/sh\n# ${text}\n` } });

async function flow(cluster: Lab, name: string, want: Json | undefined): Promise<void> {
  cluster.simulator.ledger.reset();
  const errors = await cluster.bring(want);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const all = cluster.simulator.ledger.entries().filter(({ path }) => !path.includes('/tasks/'));
  const writes = all.filter(({ write }) => write).length;
  const sum = (of: 'bytesIn' | 'bytesOut'): number => all.reduce((total, entry) => total + entry[of], 0);
  const guests = Object.keys(cluster.world.guests).length;
  console.log(`| ${name} | ${guests} | ${all.length} | ${writes} | ${sum('bytesIn')} | ${sum('bytesOut')} |`);
}

async function main(): Promise<void> {
  const times = milliseconds();
  const at = (share: number): string => (times[Math.floor((RUNS - 1) * share)] ?? 0).toFixed(2);
  console.log(
    `ISO of ${LIMIT} bytes of data: ${at(0)} / ${at(0.5)} / ${at(1)} ms (least, median, most of ${RUNS})`,
  );
  console.log(
    '| flow | guests | calls | writes | bytes sent | bytes read |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const others of FLEET) {
    const world = { ...defaultWorld(3, others), pools: {} };
    const cluster = await lab({ world, taskMs: 5 });
    await flow(cluster, 'create with data', withData('one'));
    await flow(cluster, 'nothing to do', withData('one'));
    await flow(cluster, 'changed data', withData('two'));
    await flow(cluster, 'data removed', { ...blank, clear: ['cloudInit.userData'] });
    await cluster.bring(withData('three'));
    await flow(cluster, 'destroy with data', undefined);
    await cluster.close();
  }
}

void main();
