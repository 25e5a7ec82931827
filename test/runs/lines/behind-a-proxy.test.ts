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
