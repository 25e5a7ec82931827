import { seededRandom, type Random } from '../../../simulator/random';
import type { Params } from '../cluster/ask';
import type { OpenCluster } from '../cluster/open-cluster';
import { handMade, oddSetting } from './hand-made';
import { pick } from './values';

/** How somebody makes machines of one kind: alike, but for what each of them needed. */
interface Kind {
  word: string;
  settings: Params;
  tags?: string;
  pool?: string;
  memories: readonly number[];
  disks: readonly number[];
}

interface Hand {
  nameOf: (word: string, number: number) => string;
  describe: (name: string, random: Random) => string | undefined;
  kinds: readonly Kind[];
}

const PLAIN: Params = { ostype: 'l26', scsihw: 'virtio-scsi-single', agent: '1', onboot: 1 };
const WINDOWS: Params = { ostype: 'win11', scsihw: 'virtio-scsi-pci', machine: 'pc-q35-9.2', cpu: 'host' };
const UEFI: Params = { ...PLAIN, bios: 'ovmf', efidisk0: 'local-lvm:1,efitype=4m', machine: 'q35' };
const CLOUD: Params = { ...PLAIN, ide2: 'local-lvm:cloudinit', ciuser: 'admin', ipconfig0: 'ip=dhcp' };
const OLD: Params = { ostype: 'other', scsihw: 'lsi', vga: 'std', tablet: 0, keyboard: 'de' };

const WORDS = ['web', 'db', 'mail', 'build', 'cache', 'proxy', 'files', 'desk', 'queue', 'test'];
const STYLES: readonly Hand['nameOf'][] = [
  (word, number) => `${word}-${number}`,
  (word, number) => `${word}${String(number).padStart(2, '0')}.example.com`,
  (word, number) => `SRV-${word.toUpperCase()}-${String.fromCharCode(65 + (number % 26))}${number}`,
  (word, number) => `${word}${number}`,
  (word, number) => `prod-${word}-${number}`,
];
const HOSTILE = [
  'a\'b"c`d`${process.env.SECRET} %{ if true }',
  'two\nlines\n\n*/ // <!-- -->',
  'ünïcödé \u{1f600} \u202e \u2028',
  "'); process.exit(1); ('",
  '\\u0041 \\n ${TfToken[TOKEN.0]}',
];
const TEXTS: readonly Hand['describe'][] = [
  () => undefined,
  name => `${name}, made by hand`,
  (_, random) => (random.below(3) === 0 ? pick(random, HOSTILE) : undefined),
];

/** The ten people who made the machines of a cluster, each with a way of his own. */
function handsOf(random: Random): Hand[] {
  return Array.from({ length: 10 }, (_, hand): Hand => {
    const words = [0, 3, 6].map(step => WORDS[(hand + step) % WORDS.length]!);
    return {
      nameOf: STYLES[hand % STYLES.length]!,
      describe: TEXTS[hand % TEXTS.length]!,
      kinds: words.map((word, index) => ({
        word,
        settings: pick(random, [PLAIN, PLAIN, WINDOWS, UEFI, CLOUD, OLD]),
        ...(hand % 3 === 0 && { tags: `${word};team${hand}` }),
        ...(hand % 3 === 1 && index < 2 && { pool: pick(random, ['prod', 'lab']) }),
        memories: pick(random, [[2048], [4096], [1024, 2048, 8192]]),
        disks: pick(random, [[2], [1, 2, 3]]),
      })),
    };
  });
}

/** Makes so many machines as ten people would in ten years; one in five is of any shape. Their numbers begin with `first`. */
export async function tenHands(
  cluster: OpenCluster,
  { seed, count, first }: { seed: number; count: number; first: number },
): Promise<void> {
  const random = seededRandom(seed);
  const hands = handsOf(random);
  for (let index = 0; index < count; index += 1) {
    const vmid = first + index;
    if (random.below(5) === 0) await handMade(cluster, seed + index, vmid);
    else await madeBy(hands[random.below(hands.length)]!, { cluster, random, vmid });
    if (random.below(60) === 0) cluster.world.guests[vmid]!.config['name'] = pick(random, HOSTILE_NAMES);
  }
}

/** No name that Proxmox takes today. */
const HOSTILE_NAMES = ['it\'s`${x}"', 'zwei wörter', 'a\u2028b', '-', "class'); //", 'constructor'];

async function madeBy(
  { kinds, nameOf, describe }: Hand,
  { cluster, random, vmid }: { cluster: OpenCluster; random: Random; vmid: number },
): Promise<void> {
  const { word, settings, tags, pool, memories, disks } = pick(random, kinds);
  const node = pick(random, ['pve1', 'pve2', 'pve3']);
  const name = nameOf(word, vmid);
  const description = describe(name, random);
  const made = await cluster.run('POST', `/nodes/${node}/qemu`, {
    ...{ vmid, name, cores: 2, memory: pick(random, memories), ...settings },
    ...{ scsi0: `local-lvm:${pick(random, disks)}`, net0: 'virtio,bridge=vmbr0', boot: 'order=scsi0' },
    ...(tags !== undefined && { tags }),
    ...(pool !== undefined && { pool }),
    ...(description !== undefined && { description }),
  });
  if (made.exitstatus !== 'OK') throw new Error(`${vmid}: ${made.exitstatus}`);
  for (let odd = random.below(4) - 2; odd >= 0; odd -= 1) {
    const setting = oddSetting(random);
    if (setting) await cluster.request('PUT', `/nodes/${node}/qemu/${vmid}/config`, setting);
  }
  if (random.below(3) === 0) await startIn(cluster, `/nodes/${node}/qemu/${vmid}`);
}

async function startIn(cluster: OpenCluster, at: string): Promise<void> {
  const upid = await cluster.request('POST', `${at}/status/start`);
  if (typeof upid.data === 'string') await cluster.ended(upid.data);
}
