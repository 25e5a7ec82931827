import type { Effect } from '../../../simulator/faults/fault';
import { bootAll } from '../cluster/boot-all';
import { dice } from '../random/dice';
import { marked } from '../cluster/end-state';
import type { Json } from '../cluster/lab';
import { desired, lab } from '../cluster/lab';
import { ownAddresses } from '../random/pair';
import { PAIR_FIELDS } from '../random/spec';
import { withWanted } from '../spec/with-field';

/** Answers as Proxmox gives them (pve/error-texts names their sources), whatever was asked for. */
const REFUSALS: readonly Effect[] = [
  { kind: 'answer', status: 500, text: 'VM is locked (backup)' },
  {
    kind: 'answer',
    status: 500,
    text: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
  },
  { kind: 'answer', status: 500, text: 'cluster not ready - no quorum?' },
  { kind: 'answer', status: 500, text: 'start failed: QEMU exited with code 1' },
  { kind: 'answer', status: 500, text: "storage 'gone' does not exist" },
  { kind: 'answer', status: 500, text: 'checksum mismatch (file change by other user?)' },
  { kind: 'answer', status: 500, text: 'got timeout' },
  { kind: 'answer', status: 403, text: 'Permission check failed (/vms/100, VM.PowerMgmt)' },
  {
    kind: 'answer',
    status: 400,
    text: 'Parameter verification failed.',
    errors: { net0: "hotplug problem - bridge 'gone' does not exist" },
  },
  { kind: 'gateway', status: 596, text: 'Connection timed out', work: 'done' },
  { kind: 'gateway', status: 595, text: 'No route to host', work: 'not-done' },
  { kind: 'reset', work: 'done' },
];

const PLAIN: Json = {
  image: { blank: true },
  node: 'pve1',
  power: 'running',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  disks: [
    { name: 'root', size: '2Gi', storage: 'local-lvm' },
    { name: 'data', size: '1Gi', storage: 'local-lvm' },
  ],
  networks: [{ name: 'lan' }],
};

interface Row {
  id: string;
  have: Json;
  want: Json;
  said: string;
  effect: Effect;
  after: number;
}

/** Every field of the model changed on a machine that runs, and one of the requests for it refused: by the seed. */
function rows(seed: number): Row[] {
  const roll = dice(seed);
  return PAIR_FIELDS.flatMap((row, index) => {
    const start: Json = { ...PLAIN, id: `m${index}` };
    const [first, next = first] = row.values.map(value => ownAddresses(withWanted(start, row, value), index));
    const have = row.values.length > 1 ? first : { ...row.base, ...start };
    const effect = REFUSALS[roll(REFUSALS.length)]!;
    const after = roll(12);
    if (row.field === 'tpm.storage' || !have || !next) return [];
    const said = `${row.field}, request ${after}: ${JSON.stringify(effect)}`;
    return [{ id: `m${index}`, have, want: { ...next, power: 'running' }, said, effect, after }];
  });
}

/** The machines that are off after such runs, and why they should not be. Empty when all of them run. */
export async function offFaults(seed: number): Promise<string[]> {
  const chosen = rows(seed);
  const cluster = await lab({ taskMs: 0, as: 'root' });
  try {
    await cluster.run(desired(chosen.map(({ have }) => have)));
    bootAll(cluster);
    const running = chosen.filter(({ id }) => marked(cluster.world, id)[0]?.running);
    for (const { id, effect, after } of running) {
      const path = `/nodes/*/qemu/${marked(cluster.world, id)[0]?.vmid}/**`;
      cluster.simulator.faults.add({ path, after, count: 1, effect });
    }
    await cluster.run(desired(running.map(({ want }) => want)));
    const off = running.filter(({ id }) => !marked(cluster.world, id)[0]?.running);
    const missed = chosen.length - running.length;
    return [
      ...off.map(({ id, said }) => `${id} is off: ${said}`),
      ...(missed > 0 ? [`${missed} never ran`] : []),
    ];
  } finally {
    await cluster.close();
  }
}
