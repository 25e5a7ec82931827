import { adopt } from '../../../reconciler/commands/adopt/adopt';
import type { Options } from '../../../reconciler/input/surroundings';
import { Reporter } from '../../../reconciler/report/reporter';
import type { Config, Guest } from '../../../simulator/world';
import { labWorld } from '../cluster/lab';
import type { OpenCluster } from '../cluster/open-cluster';
import { openCluster } from '../cluster/open-cluster';
import { programAccess } from '../cluster/program-access';
import { handMade } from '../random/hand-made';

const FIRST = 1_000;
/** A machine's share of what is asked of the cluster: reads that all machines share are counted apart. */
const MOST_CALLS = 5;

/** Makes so many machines by hand and adopts them in one run. What was written besides the mark, and what is left to do. */
export async function adoptionFaults(seed: number, count: number): Promise<string[]> {
  const cluster = await openCluster({ world: emptyWorld(), taskMs: 0, timeScale: 50 });
  try {
    for (let i = 0; i < count; i += 1) await handMade(cluster, seed + i, FIRST + i);
    cluster.breaks(/./);
    const before = structuredClone(cluster.world.guests);
    cluster.simulator.ledger.reset();
    const { code, said } = await adoptAll(cluster, { yes: true, form: 'json' });
    return [
      ...(code === 0 ? [] : [`exit code ${code}`]),
      ...said.filter(line => !line.includes('its next plan is empty')),
      ...Object.values(before).flatMap(guest => touched(guest, cluster.world.guests[guest.vmid])),
      ...tooManyCalls(cluster),
    ];
  } finally {
    await cluster.close();
  }
}

/** The programs for so many machines that were made by hand, in two forms. */
export async function adoptedPrograms(
  seed: number,
  count: number,
): Promise<{ typescript: string; json: string }> {
  const cluster = await openCluster({ world: emptyWorld(), taskMs: 0, timeScale: 50 });
  try {
    for (let i = 0; i < count; i += 1) await handMade(cluster, seed + i, FIRST + i);
    // alike but for who they are
    for (let i = 0; i < 3; i += 1)
      await cluster.run('POST', '/nodes/pve1/qemu', {
        ...{
          vmid: FIRST + count + i,
          name: `front-${i}`,
          memory: 1024,
          cores: 2,
          description: `No. ${i}: '\`$\{1}`,
        },
        ...{ scsi0: 'local-lvm:2', net0: 'virtio,bridge=vmbr0', net1: 'virtio,bridge=vmbr1' },
      });
    cluster.breaks(/./);
    const written = async (form: string): Promise<string> => (await adoptAll(cluster, { form })).out;
    return { typescript: await written('typescript'), json: await written('json') };
  } finally {
    await cluster.close();
  }
}

/** No guests at all, and room for many. */
function emptyWorld() {
  const world = labWorld();
  world.guests = {};
  world.volumes = world.volumes.filter(({ vmid }) => vmid === undefined);
  return world;
}

async function adoptAll(
  { simulator }: OpenCluster,
  options: Options,
): Promise<{ code: number; said: string[]; out: string }> {
  const said: string[] = [];
  let out = '';
  const reporter = new Reporter({ write: line => said.push(line.trimEnd()), level: 'info', json: false });
  const around = {
    environment: programAccess(simulator),
    readInput: () => Promise.resolve(''),
    out: (text: string) => void (out += text),
    reporter,
    signal: new AbortController().signal,
  };
  const code = await adopt(around, { all: true, owner: 'team/lab', cluster: 'lab', ...options }, []);
  return { code, said, out };
}

/** What is another than before, and is not the mark. */
export function touched(before: Guest, after: Guest | undefined): string[] {
  if (!after) return [`${before.vmid} is gone`];
  const rest = ({ config, pending, ...guest }: Guest) => ({
    ...guest,
    config: unmarked(config, before),
    // a uuid of a guest that runs waits for its next start
    pending:
      before.pending['smbios1'] === undefined
        ? less(unmarked(pending, before), 'smbios1')
        : unmarked(pending, { ...before, config: before.pending }),
  });
  const [one, other] = [rest(before), rest(after)].map(guest => JSON.stringify(guest, undefined, 1));
  const users = (text = '') => text.replace(/\n?<!-- pvr:.*-->\n?$/, '').trimEnd();
  const tags = (text = '') =>
    text
      .split(/[;, ]+/)
      .filter(tag => tag !== '' && !tag.startsWith('pvr-'))
      .map(tag => tag.toLowerCase())
      .sort()
      .join(';');
  return [
    ...(one === other ? [] : [`${before.vmid}: ${one}\nis now\n${other}`]),
    ...(users(before.config['description']) === users(after.config['description'])
      ? []
      : [`${before.vmid}: another description`]),
    ...(tags(before.config['tags']) === tags(after.config['tags']) ? [] : [`${before.vmid}: other tags`]),
  ];
}

function less(config: Config, gone: string): Config {
  return Object.fromEntries(Object.entries(config).filter(([key]) => key !== gone));
}

/** Without description and tags, and without the uuid where there was none. */
function unmarked(config: Config, { config: before }: Guest): Config {
  const { description: _, tags: __, digest: ___, ...rest } = config;
  if (/uuid=/.test(before['smbios1'] ?? '')) return rest;
  const texts = (rest['smbios1'] ?? '').split(',').filter(part => part !== '' && !part.startsWith('uuid='));
  const { smbios1: ____, ...others } = rest;
  return texts.length === 0 ? others : { ...others, smbios1: texts.sort().join(',') };
}

/** One more where something waits: whether the guest is off then. */
function tooManyCalls({ simulator, world }: OpenCluster): string[] {
  const waits = (vmid: string): boolean => {
    const { pending = {}, pendingDelete = {} } = world.guests[Number(vmid)] ?? {};
    return Object.keys({ ...pending, ...pendingDelete }).length > 0;
  };
  const calls = new Map<string, number>();
  for (const { path } of simulator.ledger.entries()) {
    const vmid = /\/qemu\/(\d+)\//.exec(path)?.[1];
    if (vmid !== undefined) calls.set(vmid, (calls.get(vmid) ?? 0) + 1);
  }
  return [...calls]
    .filter(([vmid, count]) => count > MOST_CALLS + Number(waits(vmid)))
    .map(([vmid, count]) => `${vmid}: ${count} calls`);
}
