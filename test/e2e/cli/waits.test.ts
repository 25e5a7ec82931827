import { applyEvent } from '../../../simulator/events/apply';
import type { CliLab } from '../../support/processes/cli';
import { cliLabsAfter, desiredText, start } from '../../support/processes/cli';
import { foreignTask } from '../../support/cluster/foreign-task';
import { blankMachine as web } from '../../support/runs/blank-machine';

const changed = { ...web, memory: '2Gi' };
const OURS = 10_000;

let open: Awaited<ReturnType<typeof cliLabsAfter>>;
let lab: CliLab;
beforeAll(async () => {
  open = await cliLabsAfter(first => first.apply(web));
});
beforeEach(async () => {
  lab = await open();
});
afterEach(() => lab.close());

const locked = (lock: string): void => applyEvent(lab.simulator.sim, { kind: 'lock', vmid: OURS, lock });

describe('a verb that only reads waits for nothing, and names what is in the way', () => {
  const inTheWay: Record<string, { begin: () => void; named: RegExp }> = {
    'a lock': {
      begin: () => locked('backup'),
      named: /guest 10000 on pve1, which is locked \(backup\) by no task that can be seen/,
    },
    'a running task': {
      begin: () => void foreignTask(lab.simulator, { type: 'qmmove', id: String(OURS) }),
      named: /qmmove of 10000 by eve@pve on pve1 since /,
    },
    'a lost quorum': {
      begin: () => applyEvent(lab.simulator.sim, { kind: 'quorum', quorate: false }),
      named: /the quorum of the cluster, without which Proxmox writes nothing/,
    },
  };

  test.each(Object.entries(inTheWay))('%s', async (_, { begin, named }) => {
    begin();
    const planned = await lab.people('plan', [changed], ['--check']);
    expect(planned).toMatchObject({ code: 4, stdout: expect.stringMatching(named) as string });
    const status = await lab.people('status', [changed], ['-o', 'wide']);
    expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(named) as string });
    const { code, told } = await lab.observe({ web: changed }, { web: 'e1' });
    expect({ code, status: told['web.status'] }).toEqual({ code: 0, status: 'different' });
    expect(told['web.diff']).toMatch(named);
    expect(lab.simulator.ledger.entries().length).toBeLessThanOrEqual(3 * 20);
  });

  test('an open console is none of it', async () => {
    foreignTask(lab.simulator, { type: 'vncproxy', id: String(OURS) });
    const { code, stdout } = await lab.people('plan', [changed]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('waits') as string });
  });

  test('a guest of which there is only a part is not planned for yet, and not in sync', async () => {
    locked('clone');
    const planned = await lab.people('plan', [changed], ['--check']);
    expect(planned.code).toBe(4);
    expect(planned.stdout).toMatch(
      /web: not there, or only partly there.*\n {2}waits for guest 10000 on pve1, which is locked \(clone\)/,
    );
    const { told } = await lab.observe({ web: changed }, { web: 'e1' });
    expect(told).toMatchObject({ 'web.status': 'different', 'web.effect': 'live' });
  });
});

describe('an interrupt during a wait', () => {
  const wire = { PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }) };
  const whose = { PROXMOX_OWNER: 'team/lab', PROXMOX_MACHINE: 'web', PROXMOX_ENTRY: 'e1' };
  const verbs: Record<string, () => ReturnType<typeof start>> = {
    reconcile: () => start(['reconcile', '--spec', '-'], lab.access, desiredText([changed])),
    apply: () =>
      start(['apply'], {
        ...lab.access,
        ...wire,
        ...whose,
        PROXMOX_TOKEN: '',
        PROXMOX_SPEC: JSON.stringify(changed),
      }),
    destroy: () => start(['destroy'], { ...lab.access, ...wire, ...whose }),
  };

  test.each([
    ['reconcile', 'SIGINT', 130],
    ['apply', 'SIGTERM', 143],
    ['destroy', 'SIGTERM', 143],
  ] as const)('%s ends at once on %s, and says nothing of an abort', async (verb, signal, expected) => {
    locked('backup');
    lab.writes();
    const running = verbs[verb]!();
    await running.said('locked (backup)');
    running.child.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(expected);
    expect(stdout + stderr).not.toMatch(/AbortError|aborted|\n\s+at /);
    expect(stderr).toMatch(/interrupted; Proxmox goes on with what it was told\. Running again is safe/);
    expect(lab.writes()).toEqual([]);
  });
});
