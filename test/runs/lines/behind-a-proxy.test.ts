import { alteredCluster, type Told } from '../../support/cluster/altered-cluster';
import type { CliLab } from '../../support/processes/cli';
import { blankMachine } from '../../support/runs/blank-machine';
import { lineLab } from '../../support/runs/line-lab';

type Alter = Parameters<typeof alteredCluster>[1];

/** Works on a simulated cluster through a proxy that answers some requests itself, once it is told to. */
async function behind(
  answersItself: Alter,
  work: (lab: CliLab, env: Record<string, string>, begin: () => void) => Promise<void>,
) {
  const lab = await lineLab();
  let isOn = false;
  const server = await alteredCluster(lab.simulator, (request, told) =>
    isOn ? answersItself(request, told) : told,
  );
  try {
    await work(lab, server.access, () => (isOn = true));
  } finally {
    await server.close();
    await lab.close();
  }
}

const page = (status: number, reason: string): Told => ({
  status,
  reason,
  text: `<html><head><title>${status} ${reason}</title></head><body>cloudflare</body></html>`,
});

const disk = { name: 'root', size: '4Gi', storage: 'local-lvm' };
const web = { ...blankMachine, power: 'running', disks: [disk] };

test('a start whose answer is a page: where the guest is started again, it is not sent twice', () =>
  behind(
    ({ method, path }, told) =>
      method === 'POST' && path.endsWith('/status/start') ? page(200, 'OK') : told,
    async (lab, env, begin) => {
      const grown = { ...web, disks: [{ ...disk, size: '6Gi' }] };
      expect((await lab.people('reconcile', [grown])).code).toBe(0);
      expect((await lab.people('snapshot', [grown], ['create', 'web', 'clean'])).code).toBe(0);
      lab.writes();
      begin();
      const back = await lab.people('snapshot', [web], ['revert', 'web', 'clean', '--yes'], env);
      expect([back.code, back.stderr]).toEqual([3, expect.stringContaining('It was started again')]);
      expect(lab.guests('web')[0]?.running).not.toBeNull();
      expect(lab.writes().filter(line => line.endsWith('/status/start'))).toHaveLength(1);
    },
  ));

describe('pages that a proxy answers with', () => {
  test('a time limit that is over: a read is sent again, a write is looked for', () => {
    let turn = 0;
    return behind(
      ({ method }, told) => {
        turn += 1;
        return method !== 'GET' || turn % 3 === 0 ? page(524, 'a timeout occurred') : told;
      },
      async (lab, env, begin) => {
        begin();
        const { code, stderr } = await lab.people('reconcile', [web], [], env);
        expect([code, stderr]).toEqual([0, expect.stringContaining('1 machine is as wanted')]);
        const writes = lab.writes();
        expect(writes).toEqual([...new Set(writes)]);
        expect((await lab.people('plan', [web], ['--check'], env)).code).toBe(0);
        expect((await lab.destroy('web', { entry: '', env })).code).toBe(0);
        expect(lab.guests('web')).toEqual([]);
      },
    );
  });

  test.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [413, 'Request Entity Too Large'],
    [500, 'Internal Server Error'],
  ])('%i: it says who answered, and asks for no privilege', (status, reason) =>
    behind(
      () => page(status, reason),
      async (lab, env, begin) => {
        begin();
        const runs = [
          await lab.people('plan', [web], [], env),
          await lab.people('reconcile', [web], [], env),
          await lab.people('status', [web], [], env),
          await lab.people('gc', [], [], env),
          await lab.destroy('web', { env }),
        ];
        for (const { code, stderr } of runs) {
          expect(code).toBe(1);
          expect(stderr).toContain(`${status} ${reason} (a page of what stands before Proxmox)`);
          expect(stderr).toMatch(/\. Check (?:that what answers|the token|the endpoint)/);
          expect(stderr).not.toMatch(/privilege|Proxmox says why/);
        }
        expect(lab.writes()).toEqual([]);
        const { stdout } = await lab.people('doctor', [web], [], env);
        expect(stdout).toMatch(/\(a page of what stands before Proxmox\).*\n +(?:Is it Proxmox VE|Check )/);
      },
    ),
  );
});
