import { applyEvent } from '../../simulator/events/apply';
import type { Json, Lab } from '../support/cluster/lab';
import { lab as startLab } from '../support/cluster/lab';
import { writes } from '../support/cluster/end-state';
import { terraformOn } from '../support/runs/as-planned';
import { blankMachine } from '../support/runs/blank-machine';

// pve1 is the node of the endpoint
const preferred: Json = { ...blankMachine, node: 'pve2' };
const pinned: Json = { ...preferred, pin: true };

let lab: Lab;
beforeEach(async () => {
  lab = await startLab();
});
afterEach(() => lab.close());

const goesDown = (node: string): void =>
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node });

const nodeIn = (token: string): string =>
  (JSON.parse(Buffer.from(token, 'base64url').toString()) as { node: string }).node;

const made = (): string[] =>
  Object.values(lab.world.guests)
    .filter(({ config }) => config['name'] === 'web')
    .map(({ node }) => node);

describe('a node goes down between the plan and its apply', () => {
  test('a new machine that may be elsewhere is made on another one', async () => {
    const terraform = terraformOn(lab);
    const token = await terraform.plan(preferred);
    expect(nodeIn(token)).toBe('pve2');
    goesDown('pve2');
    expect(await terraform.apply(preferred, token)).toEqual([]);
    expect(made()).toEqual([expect.stringMatching(/^pve[13]$/)]);
    expect(writes(lab.simulator).filter(line => line.includes('/nodes/pve2/'))).toEqual([]);
  });

  test('one that is pinned is refused before a write, with the name of the node', async () => {
    const terraform = terraformOn(lab);
    const token = await terraform.plan(pinned);
    goesDown('pve2');
    const [error = ''] = await terraform.apply(pinned, token);
    expect(error).toMatch(/pve2.*offline/s);
    expect(error).toContain('Nothing was changed');
    expect([made(), writes(lab.simulator)]).toEqual([[], []]);
  });

  test('a clone whose template is there is refused before a write, with the name of the node', async () => {
    applyEvent(lab.simulator.sim, { kind: 'move', vmid: 9000, node: 'pve2' });
    const clone: Json = { id: 'web', power: 'stopped', image: { template: 9000 } };
    const terraform = terraformOn(lab);
    const token = await terraform.plan(clone);
    goesDown('pve2');
    const [error = ''] = await terraform.apply(clone, token);
    expect(error).toContain('pve2');
    expect(error).toContain('offline');
    expect([made(), writes(lab.simulator)]).toEqual([[], []]);
  });

  test('a machine that is there is not written to, and its node is named', async () => {
    const terraform = terraformOn(lab);
    const there: Json = { ...pinned, power: 'running', timeouts: { apply: '10s' } };
    expect(await terraform.apply(there, await terraform.plan(there))).toEqual([]);
    const changed = { ...there, memory: '2Gi', tags: ['new'] };
    const token = await terraform.plan(changed);
    const before = writes(lab.simulator).length;
    goesDown('pve2');
    const [error = ''] = await terraform.apply(changed, token);
    expect(error).toContain('pve2');
    expect(error).toContain('safe');
    expect(writes(lab.simulator)).toHaveLength(before);
  });
});
