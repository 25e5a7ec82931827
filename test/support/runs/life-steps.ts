import type { Json } from '../cluster/lab';

type Machine = Json & {
  id: string;
  disks?: Json[];
  networks?: Json[];
  cloudInit?: Json;
  clear?: string[];
};

/** The machines of a desired state. */
const machinesOf = (state: Json): Machine[] => state['machines'] as Machine[];

/** A change, and what the desired state is then; undefined: it says nothing that this would change. */
export type Step = readonly [
  name: string,
  to: (state: Json) => Json | undefined,
  /** Command lines that come before it. */
  first?: (state: Json) => string[][],
];

const GiB = 2 ** 30;
const bytesOf = (size: unknown): number =>
  typeof size === 'string' ? Number.parseInt(size, 10) * GiB : Number(size);

/** Changes every machine that has what is to change; undefined: none has. */
function each(
  state: Json,
  change: (machine: Machine) => Json,
  has: (machine: Machine) => boolean = () => true,
): Json | undefined {
  if (!machinesOf(state).some(has)) return undefined;
  const machines = machinesOf(state).map(machine => ({
    ...machine,
    restart: 'whenNeeded',
    ...(has(machine) ? change(machine) : {}),
  }));
  return { ...state, machines };
}

/** Changes a field of cloud-init, or removes it. */
function inCloudInit(state: Json, field: string, value?: unknown): Json | undefined {
  const change = ({ cloudInit: before, clear = [] }: Machine): Json => {
    const { [field]: _, ...left } = before ?? {};
    if (value !== undefined) return { cloudInit: { ...left, [field]: value } };
    return { cloudInit: left, clear: [...clear, `cloudInit.${field}`] };
  };
  return each(state, change, ({ cloudInit }) => cloudInit?.[field] !== undefined);
}

/** What changes in the life of machines, in an order in which nothing is in the way of the next. */
export const CHANGES: readonly Step[] = [
  [
    'tags, description, options, memory, cores, networks, a disk more, the others larger',
    state =>
      each(state, ({ tags = [], cpu = {}, memory = GiB, networks, disks = [] }) => ({
        tags: [...(tags as string[]), 'changed'],
        description: 'changed',
        onBoot: true,
        cpu: { ...(cpu as Json), cores: 3 },
        memory: bytesOf(memory) + GiB / 4,
        ...(networks && {
          networks: networks.map(network => ({ ...network, firewall: network['firewall'] !== true })),
        }),
        disks: [
          ...disks.map(disk =>
            disk['size'] === undefined ? disk : { ...disk, size: bytesOf(disk['size']) + GiB },
          ),
          { name: 'extra', size: '1G', onRemove: 'delete' },
        ],
      })),
  ],
  [
    'that disk less',
    state => each(state, ({ disks = [] }) => ({ disks: disks.filter(({ name }) => name !== 'extra') })),
  ],
  [
    'a snapshot',
    // a second disk of theirs lies where Proxmox keeps no snapshots
    state => ({
      ...state,
      snapshots: machinesOf(state)
        .filter(({ disks = [] }) => disks.every(({ name }) => name === 'root'))
        .map(({ id }) => ({ machine: id, name: 'clean' })),
    }),
  ],
  [
    'back to it',
    state =>
      each(
        state,
        () => ({ revertTo: 'clean' }),
        ({ id }) => (state['snapshots'] as Json[]).some(({ machine }) => machine === id),
      ),
  ],
  [
    'no snapshot',
    ({ snapshots: _, ...state }) => each(state, () => ({ revertTo: undefined })),
    ({ snapshots }) =>
      (snapshots as Json[]).map(({ machine }) => ['snapshot', 'delete', String(machine), 'clean', '--yes']),
  ],
  ['another user', state => inCloudInit(state, 'user', 'somebody')],
  ['a new password', state => inCloudInit(state, 'passwordVersion', 2)],
  ['other data', state => inCloudInit(state, 'userData', { packages: ['curl'] })],
  ['no data', state => inCloudInit(state, 'userData')],
  [
    'out of HA',
    state =>
      each(
        state,
        ({ clear = [] }) => ({ ha: undefined, clear: [...clear, 'ha'] }),
        ({ ha }) => ha !== undefined,
      ),
  ],
  [
    'another node',
    state =>
      each(
        state,
        ({ node }) => ({ node: node === 'pve2' ? 'pve3' : 'pve2', pin: true }),
        ({ node }) => node !== undefined,
      ),
  ],
];
