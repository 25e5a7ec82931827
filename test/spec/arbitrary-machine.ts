import * as fc from 'fast-check';

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const size = fc.oneof(
  fc.integer({ min: 64, max: 4096 }).map(mib => mib * 2 ** 20),
  fc.integer({ min: 64, max: 4096 }).map(mib => `${mib}Mi`),
  fc.integer({ min: 1, max: 64 }).map(gib => `${gib}G`),
);
const duration = fc.oneof(
  fc.integer({ min: 1, max: 3600 }).map(seconds => `${seconds}s`),
  fc.integer({ min: 1, max: 60 }).map(minutes => `${minutes}m`),
);
const octet = fc.integer({ min: 1, max: 250 });
const mac = fc
  .tuple(fc.constantFrom('-', ':', ''), fc.array(octet, { minLength: 5, maxLength: 5 }))
  .map(([separator, bytes]) =>
    ['02', ...bytes.map(byte => byte.toString(16).padStart(2, '0'))].join(separator),
  );
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const disk = fc.record({
  size,
  storage: maybe(fc.constantFrom('local-lvm', 'nfs')),
  type: maybe(fc.constantFrom('scsi', 'sata')),
  cache: maybe(fc.constantFrom('none', 'writeback')),
  ssd: maybe(fc.boolean()),
  limits: maybe(fc.record({ mbps: maybe(fc.integer({ min: 0, max: 1000 })) })),
  options: maybe(fc.record({ werror: fc.constantFrom('stop', 'report') })),
});
const network = fc.record({
  model: maybe(fc.constantFrom('virtio', 'e1000')),
  macAddress: maybe(mac),
  vlan: maybe(fc.integer({ min: 1, max: 99 })),
  trunks: maybe(
    fc.array(fc.oneof(fc.integer({ min: 100, max: 4094 }), fc.constant('200-300')), { maxLength: 3 }),
  ),
  staticIP: maybe(
    fc.tuple(octet, octet).map(([a, b]) => ({ address: `10.${a}.${b}.9/24`, gateway: `10.${a}.${b}.1` })),
  ),
  ipv6: maybe(fc.constantFrom('dhcp', 'auto')),
});

/** Machines that parse, in many spellings, with null for what was not said. */
export const arbitraryMachine: fc.Arbitrary<Record<string, unknown>> = fc.record({
  id: label,
  name: maybe(label),
  vmid: maybe(fc.integer({ min: 100, max: 999_999_999 })),
  node: maybe(label),
  image: fc.constantFrom(
    { template: 'ubuntu' },
    { template: '9000' },
    { blank: true },
    { template: { tag: 'golden' } },
  ),
  cpu: maybe(
    fc.record({
      cores: maybe(fc.constantFrom(4, 8)),
      sockets: maybe(fc.constantFrom(1, 2)),
      flags: maybe(fc.subarray(['+aes', '-pcid'])),
    }),
  ),
  memory: maybe(size),
  balloon: maybe(fc.boolean()),
  disks: maybe(
    fc
      .uniqueArray(fc.tuple(label, disk), { maxLength: 4, selector: ([name]) => name })
      .map(all => all.map(([name, said]) => ({ name, ...said }))),
  ),
  networks: maybe(network.map(said => [{ name: 'lan', ...said }])),
  tags: maybe(fc.array(label, { maxLength: 4 })),
  labels: maybe(fc.dictionary(label, label, { maxKeys: 3 })),
  shutdownTimeout: maybe(duration),
  agent: maybe(fc.oneof(fc.boolean(), fc.record({ type: maybe(fc.constantFrom('isa', 'virtio')) }))),
  osType: maybe(fc.constantFrom('linux', 'win11')),
  description: maybe(fc.string().filter(said => !said.includes('<!-- pvr:'))),
  cloudInit: maybe(
    fc.record({
      user: maybe(label),
      userData: maybe(
        fc.oneof(
          fc.string().map(text => `#!${text}`),
          fc.constant({ packages: ['nginx'] }),
        ),
      ),
    }),
  ),
  options: maybe(
    fc.record({ args: fc.stringMatching(/^-[a-z][a-z0-9 =]{0,20}[a-z0-9]$/), autostart: fc.boolean() }),
  ),
});

/** The same value with the keys of every object in another order. */
export function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
}

/** The same value without the keys that hold null. */
export function withoutNullKeys(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).filter(([, held]) => held !== null))
      : inner,
  );
}
