import type { Action } from '../../../reconciler/action';
import { perform, type ActionContext } from '../../../reconciler/apply/perform';
import { imageFileName } from '../../../reconciler/guest/image-file';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256 } from '../../support/cluster/image-server';
import { lab } from '../../support/cluster/lab';

const disk = qcow2(2 ** 31);
const checksum = sha256(disk);

test('a machine planned while another one’s download went on asks for none, unless somebody removed the file since', async () => {
  const server = await imageServer({ '/debian.qcow2': disk });
  const cluster = await lab();
  const url = server.url('/debian.qcow2');
  const volume = `shared:import/${imageFileName(url, checksum)}`;
  const nodes = ['pve1', 'pve2', 'pve3'];
  const planned: Action = {
    ...{ kind: 'fetch-image', node: 'pve1', storage: 'shared', volume, url, checksum, nodes },
    isThere: false,
  };
  await cluster.withRun(async run => {
    const performance = (machine: string): ActionContext => ({
      ...{ run, machine, pve: run.pve },
      ...{
        wait: { timeoutMs: 60_000, signal: run.signal },
        policy: { shutdownMs: 1, force: false, say: () => undefined },
      },
      say: () => undefined,
      warn: () => undefined,
    });
    const downloads = async (machine: string): Promise<number> => {
      cluster.simulator.ledger.reset();
      await perform(planned, performance(machine));
      return writes(cluster.simulator).filter(line => line.endsWith('/download-url')).length;
    };
    expect(await downloads('web')).toBe(1);
    expect(await downloads('db')).toBe(0);
    await administratorOf(cluster)('DELETE', `/nodes/pve1/storage/shared/content/${volume}`);
    expect(await downloads('db')).toBe(1);
    expect(server.downloads()).toBe(2);
  });
  await cluster.close();
  await server.close();
});
