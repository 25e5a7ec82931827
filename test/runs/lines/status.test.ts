import { applyEvent } from '../../../simulator/events/apply';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', node: 'pve2', image: { blank: true } };
const db = { id: 'db', node: 'pve1', image: { blank: true } };

test('-o name prints the names of machines and of snapshots, and nothing else', async () => {
  const lab = await lineLab();
  try {
    expect(await lab.people('reconcile', [web, db])).toMatchObject({ code: 0 });
    expect((await lab.people('status', [web, db], ['-o', 'name'])).stdout).toBe('web\ndb\n');
    expect((await lab.people('snapshot', [db], ['list', 'db', '-o', 'name'])).stdout).toBe('');
    await lab.people('snapshot', [db], ['create', 'db', 'before']);
    expect((await lab.people('snapshot', [db], ['list', 'db', '-o', 'name'])).stdout).toBe('before\n');
  } finally {
    await lab.close();
  }
});

test('a machine whose node is down: its number, its node, and that the node is down, beside the others', async () => {
  const lab = await lineLab();
  try {
    expect(await lab.people('reconcile', [web, db])).toMatchObject({ code: 0 });
    const vmid = Object.entries(lab.world.guests).find(([, { config }]) => config['name'] === 'web')?.[0];
    applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve2' });
    const { code, stdout, stderr } = await lab.people('status', [web, db]);
    expect(code).toBe(1);
    expect(stdout).toMatch(RegExp(`^web +Error +pve2 +${vmid} `, 'm'));
    expect(stdout).toMatch(/^db +Running +pve1 /m);
    expect(stderr).toContain(`web: VM ${vmid} is on node pve2, which is down: nothing of it can be read`);
    expect((await lab.people('status', [web, db], ['-o', 'wide'])).stdout).toContain('pve2, which is down');
    const json = JSON.parse((await lab.people('status', [web], ['-o', 'json'])).stdout) as object;
    expect(json).toMatchObject({ machines: { web: { phase: 'Error', node: 'pve2', vmid: Number(vmid) } } });
  } finally {
    await lab.close();
  }
});
