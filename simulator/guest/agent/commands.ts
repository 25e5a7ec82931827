import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { loadGuest } from '../conf-file/load';
import { cardsAtBoot, hostName } from './cards-at-boot';
import { agentAnswers } from './booted';
import { freeze, thaw } from './freeze';
import { memoryBytes } from '../qemu/memory';
import { stableAddress } from './address';
import type { Place } from '../place';

/** The guest whose agent answers, or Proxmox's failure: no such guest, no agent configured, guest off, agent silent. */
export function guestWithAgent(sim: Sim, { node, vmid }: Place): Guest {
  const guest = loadGuest(sim, node, vmid);
  if (guest.config['agent'] === undefined) fail('No QEMU guest agent configured');
  if (!guest.running) fail(`VM ${vmid} is not running`);
  if (!agentAnswers(sim, guest)) fail('QEMU guest agent is not running');
  return guest;
}

type Command = (sim: Sim, guest: Guest) => unknown;

/** What the agent answers to commands without parameters, by the name that the API gives them. */
export const AGENT_COMMANDS: Record<string, Command> = {
  ping: () => ({}),
  info: () => ({
    version: '8.2.2',
    supported_commands: Object.keys(AGENT_COMMANDS).map(name => ({
      enabled: true,
      name: `guest-${name}`,
      'success-response': true,
    })),
  }),
  'network-get-interfaces': interfaces,
  'get-time': sim => sim.clock.now() * 1_000_000,
  'get-host-name': (sim, guest) => ({ 'host-name': hostName(sim, guest) }),
  'get-osinfo': () => OS,
  'get-timezone': () => ({ offset: 0, zone: 'UTC' }),
  'get-users': () => [],
  'get-vcpus': (_, guest) =>
    Array.from({ length: Number(guest.config['cores'] ?? 1) }, (__, id) => ({
      'logical-id': id,
      online: true,
      'can-offline': id > 0,
    })),
  'get-fsinfo': () => [ROOT_FILE_SYSTEM],
  'get-memory-blocks': () => [],
  'get-memory-block-info': (_, guest) => ({
    size: Math.min(134_217_728, memoryBytes(guest.config['memory'])),
  }),
  'fsfreeze-status': (_, { running }) => (running?.frozen ? 'frozen' : 'thawed'),
  // assumed: the system has one file system
  'fsfreeze-freeze': (_, guest) => freeze(guest),
  'fsfreeze-thaw': (_, guest) => thaw(guest),
  fstrim: () => ({ paths: [{ path: '/', trimmed: 0, minimum: 0 }] }),
  'suspend-hybrid': () => unsupported('suspend-hybrid'),
  'suspend-ram': () => unsupported('suspend-ram'),
  'suspend-disk': () => unsupported('suspend-disk'),
};

// assumed: the simulated system is a small Debian
const OS = {
  id: 'debian',
  name: 'Debian GNU/Linux',
  'pretty-name': 'Debian GNU/Linux 12 (bookworm)',
  version: '12 (bookworm)',
  'version-id': '12',
  machine: 'x86_64',
  'kernel-release': '6.1.0-28-cloud-amd64',
  'kernel-version': '#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1',
};

const ROOT_FILE_SYSTEM = {
  name: 'sda1',
  mountpoint: '/',
  type: 'ext4',
  disk: [],
  'total-bytes': 2_147_483_648,
  'used-bytes': 1_073_741_824,
};

function unsupported(command: string): never {
  return fail(`VM qga command 'guest-${command}' failed - suspend mode is not supported by the guest`);
}

const NO_TRAFFIC = {
  'rx-bytes': 0,
  'rx-dropped': 0,
  'rx-errs': 0,
  'rx-packets': 0,
  'tx-bytes': 0,
  'tx-dropped': 0,
  'tx-errs': 0,
  'tx-packets': 0,
};

/** What a broken agent, or a guest that means harm, may answer. */
const NONSENSE = [
  null,
  'eth0',
  { name: 5, 'ip-addresses': 'none' },
  { name: 'eth0', 'hardware-address': {}, 'ip-addresses': [{ 'ip-address': 'soon' }, { 'ip-address': 7 }] },
];

function interfaces(sim: Sim, guest: Guest): unknown[] {
  const { agentSays } = guest.system;
  if (agentSays === 'nonsense') return NONSENSE;
  const cards = guest.running?.cards ?? cardsAtBoot(sim, guest);
  const loopback = describe('lo', '00:00:00:00:00:00', ['127.0.0.1/8', '::1/128']);
  return [
    loopback,
    ...cards.map(({ name, mac, addresses }) =>
      describe(
        name,
        mac,
        agentSays !== undefined
          ? ['169.254.7.7/16', stableAddress('fe80:', mac)]
          : addresses.length > 0
            ? [...addresses, stableAddress('fe80:', mac)]
            : [],
      ),
    ),
  ];
}

function describe(name: string, mac: string, addresses: string[]): unknown {
  const rows = addresses.map(address => {
    const [ip = '', prefix = ip.includes(':') ? '64' : '24'] = address.split('/');
    return {
      'ip-address': ip,
      'ip-address-type': ip.includes(':') ? 'ipv6' : 'ipv4',
      prefix: Number(prefix),
    };
  });
  return {
    name,
    'hardware-address': mac,
    // the agent leaves the list out for a card without any address
    ...(rows.length > 0 && { 'ip-addresses': rows }),
    statistics: NO_TRAFFIC,
  };
}
