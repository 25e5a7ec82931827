import { runLine } from '../../reconciler/walk/live';
import type { Config, Guest } from '../../../simulator/world';
import { labWorld } from '../cluster/lab';
import { openCluster } from '../cluster/open-cluster';
import { programAccess, takeWrites } from '../cluster/program-access';
import { handMade } from '../random/hand-made';

const FIRST = 1_000;

/** Makes so many machines by hand, adopts them and releases them again: what is another than before, in words. */
export async function releaseFaults(seed: number, count: number): Promise<string[]> {
  const world = labWorld();
  world.guests = {};
  world.volumes = world.volumes.filter(({ vmid }) => vmid === undefined);
  const cluster = await openCluster({ world, taskMs: 0, timeScale: 50 });
  const line = (...words: string[]) =>
    runLine([...words, '--owner', 'team/lab', '--cluster', 'lab', '--yes'], programAccess(cluster.simulator));
  try {
    for (let i = 0; i < count; i += 1) await handMade(cluster, seed + i, FIRST + i);
    cluster.breaks(/./);
    const before = structuredClone(cluster.world);
    await line('adopt', '--all', '--form', 'json');
    const marked = Object.values(cluster.world.guests).filter(isMarked);
    takeWrites(cluster.simulator);
    const { code, said } = await line('release');
    const wrote = takeWrites(cluster.simulator).sort();
    const wanted = marked.map(({ vmid, node }) => `PUT /nodes/${node}/qemu/${vmid}/config`).sort();
    return [
      ...(code === 0 && marked.length > 0
        ? []
        : [`exit code ${code}, ${marked.length} were adopted: ${said}`]),
      ...(wrote.join() === wanted.join() ? [] : [`${wrote.join()} in place of ${wanted.join()}`]),
      ...Object.values(before.guests).flatMap(guest => other(guest, cluster.world.guests[guest.vmid])),
      ...(JSON.stringify(before.volumes) === JSON.stringify(cluster.world.volumes) ? [] : ['other volumes']),
    ];
  } finally {
    await cluster.close();
  }
}

function isMarked({ config }: Guest): boolean {
  return (config['description'] ?? '').includes('<!-- pvr:');
}

/** What differs: nothing may, but for the digest, and the uuid of a guest that had none, which may wait for its next start. */
function other(before: Guest, after: Guest | undefined): string[] {
  if (after === undefined) return [`${before.vmid} is gone`];
  const [one, two] = [before, after].map(guest => ({
    ...guest,
    config: shown(guest.config, before),
    pending:
      before.pending['smbios1'] === undefined && !hadUuid(before) ? without(guest.pending) : guest.pending,
  }));
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap(key => {
    const [was, is] = [one, two].map(guest =>
      JSON.stringify(Object.entries(guest ?? {}).find(([at]) => at === key)),
    );
    return was === is ? [] : [`${before.vmid}: ${was} is now ${is}`];
  });
}

const hadUuid = ({ config }: Guest): boolean => /uuid=/.test(config['smbios1'] ?? '');

function without({ smbios1: _, ...rest }: Config): Config {
  return rest;
}

/** In the order of its keys. */
function shown({ smbios1 = '', digest: _, ...rest }: Config, before: Guest): [string, string][] {
  const parts = smbios1.split(',').filter(part => hadUuid(before) || !part.startsWith('uuid='));
  const smbios = hadUuid(before) ? smbios1 : parts.sort().join(',');
  return Object.entries({ ...rest, smbios1: smbios }).sort(([one], [two]) => (one < two ? -1 : 1));
}
