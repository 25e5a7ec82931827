import type { Params } from '../support/cluster/ask';
import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';
import { defaultWorld } from '../../simulator';

/** What Proxmox's own code (pve-ha-manager 5.2, pve-common 9.2) says of rules; recording h1 shows some of it. */

let cluster: OpenCluster;
const RULES = '/cluster/ha/rules';
const UNKNOWN = 'property is not defined in schema and the schema does not allow additional properties';
const MISSING = 'property is missing and it is not optional';
const IDS = [400, 401, 402, 403, 404];

beforeEach(async () => {
  cluster = await openCluster({ world: defaultWorld(3) });
  for (const vmid of IDS) {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid, memory: 64 });
    await cluster.data('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, state: 'ignored' });
  }
  await cluster.pass(15_000);
});
afterEach(() => cluster.close());

/** What is wrong: the texts of parameters, or the message. */
async function asked(method: string, path: string, params: Params = {}): Promise<unknown> {
  const { status, json } = await cluster.request(method, path, params);
  return status === 200 ? 'OK' : (json.errors ?? String(json.message).trimEnd());
}
const sids = (...vmids: number[]): string => vmids.map(vmid => `vm:${vmid}`).join(',');
const at = (rule: string, vmids: number[], nodes: string, more: Params = {}) =>
  asked('POST', RULES, { rule, type: 'node-affinity', resources: sids(...vmids), nodes, ...more });
const together = (rule: string, ...vmids: number[]) =>
  asked('POST', RULES, { rule, type: 'resource-affinity', affinity: 'positive', resources: sids(...vmids) });
const apart = (rule: string, ...vmids: number[]) =>
  asked('POST', RULES, { rule, type: 'resource-affinity', affinity: 'negative', resources: sids(...vmids) });
const put = (rule: string, params: Params) => asked('PUT', `${RULES}/${rule}`, params);
const read = async (rule: string) =>
  (await cluster.data('GET', `${RULES}/${rule}`)) as Record<string, unknown>;
const invalid = (rule: string, ...texts: string[]): string =>
  `create ha rule failed: 400 Rule '${rule}' is invalid.\nresources: ${texts.join(', ')}`;

const NODES = { type: 'node-affinity', resources: 'vm:400', nodes: 'pve1' };

describe('parameters', () => {
  it.each<[Params, Record<string, string>]>([
    [
      { rule: 'n1', type: 'node-affinity' },
      { 'oneOf[node-affinity].resources': MISSING, 'oneOf[node-affinity].nodes': MISSING },
    ],
    [
      { ...NODES, rule: 'n1', nodes: 'pve1:high' },
      { 'oneOf[node-affinity].nodes': 'invalid format - value does not look like a valid ha node\n' },
    ],
    [
      { ...NODES, rule: 'n1', resources: '400' },
      {
        'oneOf[node-affinity].resources':
          'invalid format - value does not look like a valid ha resource id\n',
      },
    ],
    [
      { ...NODES, rule: 'n1', strict: 'yes' },
      { 'oneOf[node-affinity].strict': "type check ('boolean') failed - got 'yes'" },
    ],
    [
      { ...NODES, rule: 'n1', comment: 'c'.repeat(4097) },
      { 'oneOf[node-affinity].comment': 'value may only be 4096 characters long' },
    ],
    [
      { ...NODES, rule: 'n1', affinity: 'positive', bogus: 1 },
      { affinity: UNKNOWN, bogus: UNKNOWN },
    ],
    [{ ...NODES, rule: 'n1', digest: 'x' }, { digest: UNKNOWN }],
    [{ ...NODES }, { rule: MISSING }],
    [
      { rule: 'n1', comment: 'c' },
      { type: MISSING, comment: UNKNOWN },
    ],
  ])('%j', async (params, errors) => {
    expect(await asked('POST', RULES, params)).toEqual(errors);
  });

  it('name at least one resource and one node', async () => {
    expect(await asked('POST', RULES, { ...NODES, rule: 'n1', resources: '' })).toBe(
      'create ha rule failed: no resources were specified',
    );
    expect(await asked('POST', RULES, { ...NODES, rule: 'n1', nodes: '' })).toBe(
      'create ha rule failed: no nodes were specified',
    );
    expect(await asked('POST', RULES, { ...NODES, rule: 'n1', nodes: 'pve8,pve1,pve9' })).toBe(
      'create ha rule failed: cannot use non-existent node(s) pve8, pve9.',
    );
    expect(await asked('POST', RULES, { ...NODES, rule: 'n1', comment: 'a\nb' })).toBe(
      'property contains a line feed',
    );
  });

  it('are kept in order, each once, with priority 0 left out', async () => {
    expect(
      await at('n1', [401, 400, 401], 'pve3,pve1:0,pve2:07', { strict: 0, disable: 0, comment: '50%25%41' }),
    ).toBe('OK');
    expect(await read('n1')).toEqual({
      rule: 'n1',
      type: 'node-affinity',
      order: 1,
      resources: 'vm:400,vm:401',
      nodes: 'pve1,pve2:7,pve3',
      strict: 0,
      comment: '50%A',
      digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });
});

describe('an update', () => {
  beforeEach(() => at('n1', [400], 'pve1', { comment: 'c', disable: 1 }));

  it.each<[Params, unknown]>([
    [{}, { type: MISSING }],
    [
      { type: 'foo' },
      { type: "value 'foo' does not have a value in the enumeration 'node-affinity, resource-affinity'" },
    ],
    [{ type: 'node-affinity' }, 'OK'],
    [{ type: 'node-affinity', affinity: 'positive' }, { affinity: UNKNOWN }],
    [{ type: 'resource-affinity' }, "update HA rules failed: unexpected property 'type'"],
    [
      { type: 'resource-affinity', affinity: 'positive' },
      "update HA rules failed: unexpected property 'affinity'",
    ],
    [
      { type: 'node-affinity', nodes: 'pve9' },
      'update HA rules failed: cannot use non-existent node(s) pve9.',
    ],
    [
      { type: 'node-affinity', resources: 'vm:999' },
      'update HA rules failed: cannot use unmanaged resource(s) vm:999.',
    ],
    [{ type: 'node-affinity', resources: '' }, 'update HA rules failed: no resources were specified'],
    [{ type: 'node-affinity', delete: 'bogus' }, "update HA rules failed: no such option 'bogus'"],
    [
      { type: 'node-affinity', delete: 'nodes' },
      "update HA rules failed: unable to delete required option 'nodes'",
    ],
    [{ type: 'node-affinity', delete: 'type' }, "update HA rules failed: no such option 'type'"],
    [
      { type: 'node-affinity', comment: 'd', delete: 'comment' },
      "update HA rules failed: cannot set and delete property 'comment' at the same time!",
    ],
    [
      { type: 'node-affinity', digest: 'f'.repeat(40) },
      'update HA rules failed: detected modified configuration - file changed by other user? Try again.',
    ],
  ])('%j', async (params, said) => {
    expect(await put('n1', params)).toEqual(said);
  });

  it('changes what it names, and only a delete enables a rule again', async () => {
    const { digest } = await read('n1');
    expect(await put('n1', { type: 'node-affinity', nodes: 'pve2:1', digest: String(digest) })).toBe('OK');
    expect(await read('n1')).toMatchObject({ nodes: 'pve2:1', comment: 'c', disable: 1 });
    await put('n1', { type: 'node-affinity', disable: 0 });
    expect(await read('n1')).toMatchObject({ disable: 1 });
    await put('n1', { type: 'node-affinity', delete: 'disable,strict' });
    expect(await read('n1')).not.toHaveProperty('disable');
  });

  it('that enables an impossible rule is refused, and nothing changes', async () => {
    await at('n2', [400], 'pve2');
    expect(await put('n1', { type: 'node-affinity', delete: 'disable', comment: 'new' })).toBe(
      "update HA rules failed: 400 Rule 'n1' is invalid.\nresources: resource 'vm:400' is already used in another node affinity rule",
    );
    expect(await read('n1')).toMatchObject({ disable: 1, comment: 'c' });
  });
});

describe('conflicts', () => {
  const PRIORITIES = 'resources are in node affinity rules with multiple priorities';
  const POSITIVE = 'rule shares two or more resources with a positive resource affinity rule';
  const PLACES = 'resources are in multiple node affinity rules';
  const NARROW = 'two or more resources are restricted to less nodes than available to the resources';

  it('a resource has one rule of nodes', async () => {
    await at('n1', [400, 401], 'pve1');
    const used = (vmid: number): string =>
      `resource 'vm:${vmid}' is already used in another node affinity rule`;
    expect(await at('n2', [402, 401, 400], 'pve2')).toBe(invalid('n2', used(400), used(401)));
    expect(await at('n2', [401, 402], 'pve2', { disable: 1 })).toBe('OK');
  });

  it('rules that share a resource count as one group', async () => {
    await together('p1', 400, 401);
    await together('p2', 401, 402);
    expect(await apart('m1', 400, 402)).toBe(invalid('m1', POSITIVE));
    await at('n1', [400], 'pve1');
    expect(await at('n2', [402], 'pve2')).toBe(
      invalid(
        'n2',
        'at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already',
      ),
    );
    await put('n1', { type: 'node-affinity', resources: 'vm:403' });
    await at('n3', [402], 'pve2');
    expect(await together('p3', 402, 403)).toBe(invalid('p3', PLACES));
  });

  it('rules of resources want rules of nodes with one priority', async () => {
    await at('n1', [400], 'pve1:2,pve2');
    expect(await together('p1', 400, 401)).toBe(invalid('p1', PRIORITIES));
    await together('p1', 401, 402);
    expect(await at('n2', [402], 'pve1:2,pve2')).toBe(
      invalid(
        'n2',
        'resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities',
      ),
    );
  });

  it('there are as many nodes as resources that must be apart', async () => {
    expect(await apart('m1', 400, 401, 402, 403)).toBe(
      invalid('m1', 'rule defines more resources than available nodes'),
    );
    await at('n1', [400, 401], 'pve1');
    expect(await apart('m1', 400, 401, 402)).toBe(invalid('m1', NARROW));
    await put('n1', { type: 'node-affinity', nodes: 'pve1,pve2' });
    expect(await apart('m1', 400, 401, 402)).toBe('OK');
    expect(await put('n1', { type: 'node-affinity', nodes: 'pve1' })).toBe(
      "update HA rules failed: 400 Rule 'n1' is invalid.\nresources: at least one resource is in a negative resource affinity rule and this rule would restrict these to less nodes than available to the resources",
    );
  });

  it('are told in the list, also of rules that were possible before', async () => {
    await together('p1', 400, 401);
    await cluster.data('DELETE', '/cluster/ha/resources/vm:400');
    expect(await cluster.data('GET', RULES, { resource: 'vm:401' })).toMatchObject([
      { rule: 'p1', errors: { resources: ['rule is ineffective as there are less than two resources'] } },
    ]);
    expect(await cluster.data('GET', RULES, { resource: 'vm:400' })).toEqual([]);
    expect(await cluster.data('GET', RULES, { type: 'node-affinity' })).toEqual([]);
    expect(await asked('GET', RULES, { type: 'foo' })).toHaveProperty('type');
  });
});

it('a third rule stands second or third', async () => {
  await at('n1', [400], 'pve1');
  await at('n2', [401], 'pve1');
  await at('n3', [402], 'pve1');
  const rows = await cluster.data('GET', RULES);
  expect(rows).toMatchObject([{ rule: 'n1', order: 1 }, { order: 2 }, { order: 3 }]);
});
