import {
  ApplyEnvironment,
  DestroyEnvironment,
  flatObservations,
  machinesOf,
  ObserveQuery,
  PROTOCOL_VERSION,
  protocolMismatch,
  type Observation,
} from '../../spec';

const query = {
  protocol: '1',
  cluster: '{"name":"lab"}',
  owner: 'shop',
  'spec.web': '{"id":"web"}',
  'entry.web': '42',
  'spec.db': '{"id":"db"}',
  'spec.a.b': '{}',
  'reads.db': 'vmid,ipAddresses',
  'reads.web': 'vmid',
};

test('the machines of an observe query, with the entry of those that have one, and whose address is read', () => {
  expect(machinesOf(ObserveQuery.parse(query))).toEqual([
    { id: 'a.b', spec: '{}', entry: undefined, readsAddress: false },
    { id: 'db', spec: '{"id":"db"}', entry: undefined, readsAddress: true },
    { id: 'web', spec: '{"id":"web"}', entry: '42', readsAddress: false },
  ]);
});

test('a query holds texts only', () => {
  expect(ObserveQuery.safeParse({ ...query, 'spec.web': { id: 'web' } }).success).toBe(false);
  expect(ObserveQuery.safeParse({ owner: 'shop' }).success).toBe(false);
});

test('observations go back as one flat map of texts', () => {
  const web: Observation = {
    status: 'different',
    token: 't',
    diff: '{}',
    refusal: '',
    alone: '',
    effect: 'live',
    drift: '',
    node: 'pve1',
    vmid: '100',
  };
  expect(flatObservations({ web })).toEqual({
    'web.status': 'different',
    'web.token': 't',
    'web.diff': '{}',
    'web.refusal': '',
    'web.alone': '',
    'web.drift': '',
    'web.effect': 'live',
    'web.node': 'pve1',
    'web.vmid': '100',
  });
});

test('destroy needs no spec, apply does', () => {
  const environment = {
    PATH: '/bin',
    PROXMOX_PROTOCOL: '1',
    PROXMOX_CLUSTER: '{}',
    PROXMOX_OWNER: 'o',
    PROXMOX_MACHINE: 'web',
    PROXMOX_ENTRY: '42',
  };
  expect(DestroyEnvironment.safeParse(environment).success).toBe(true);
  expect(ApplyEnvironment.safeParse(environment).success).toBe(false);
  expect(
    ApplyEnvironment.parse({ ...environment, PROXMOX_SPEC: '{}', PROXMOX_TOKEN: 't' }),
  ).not.toHaveProperty('PATH');
});

test.each([
  [String(PROTOCOL_VERSION), undefined],
  [String(PROTOCOL_VERSION - 1), 'Update cdktf-proxmox in the stack'],
  [String(PROTOCOL_VERSION + 1), 'Update the reconciler'],
  [undefined, 'no protocol version was given'],
  ['one', 'no protocol version was given'],
])('protocol %p against ours says which side to update', (given, want) => {
  const said = protocolMismatch(given);
  if (want === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(want);
});
