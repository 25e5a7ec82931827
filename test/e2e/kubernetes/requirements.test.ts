import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { ROOT, TOKEN } from '../../support/cluster/start-cluster';
import { until, type RunningDaemon } from '../../support/daemon/daemon-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
import {
  conditionOf,
  kubernetesLab,
  type KubernetesLab,
  type Shown,
} from '../../support/kubernetes/kubernetes-lab';

const folder = path.join(__dirname, 'documents');
const MACHINE_CONDITIONS = ['NetworkConfigured', 'Ready', 'ResourcesAllocated', 'VMCreated'];

type Listed = Shown & { kind: string };

/** Each shape of document that the two operators describe, in one namespace. */
describeKubernetes('documents of each shape that the operators describe', () => {
  let lab: KubernetesLab;
  let daemon: RunningDaemon;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.space('mill');
    daemon = lab.start({ namespace: 'mill' });
  });
  afterAll(() => lab?.close());

  const placed = (text: string): string =>
    text
      .replaceAll(/\bENDPOINT\b/g, lab.simulator.url)
      .replaceAll(/\bTOKEN_ID$/gm, TOKEN.id)
      .replaceAll(/\bTOKEN_SECRET$/gm, TOKEN.secret)
      .replaceAll(/\bPASSWORD$/gm, ROOT.password)
      .replaceAll(/\bAUTHORITY$/gm, JSON.stringify(lab.simulator.ca));
  const roleOf = (kind: string) => RESOURCE_KINDS.find(each => each.kind === kind)?.role;
  const told = (seen: Listed): string => {
    const { kind, metadata, status } = seen;
    const isOnlyRead = roleOf(kind) === 'other' && kind !== 'VMSnapshot';
    const said = conditionOf(seen, isOnlyRead ? 'Accepted' : 'Ready');
    const why = said?.status === 'True' ? '' : `: ${said?.message}`;
    return `${kind} ${metadata.name} ${status?.phase ?? ''}${why} ${said?.status}`;
  };
  const rounds = async (): Promise<number> =>
    Number(/count\{controller="cluster"\} (\d+)/.exec(await daemon.metrics())?.[1]);

  test('each reaches what it promises, by the phases and conditions of the operators', async () => {
    for (const file of readdirSync(folder)) lab.apply(placed(readFileSync(path.join(folder, file), 'utf8')));
    await until(
      () => lab.all('mill'),
      seen => seen.map(told).every(line => line.endsWith(' True')),
    ).catch(() => undefined);
    const all = await lab.all('mill');
    expect(all.map(told).filter(line => !line.endsWith(' True'))).toEqual([]);
    for (const { kind, spec, status } of all) {
      if (roleOf(kind) !== 'machine') continue;
      const isOff = spec['powerState'] === 'Off' || spec['powerState'] === false;
      expect(status?.phase).toBe(isOff ? 'Stopped' : 'Running');
      expect(status?.conditions?.map(({ type }) => type).sort()).toEqual(MACHINE_CONDITIONS);
      expect(status).toMatchObject({
        vmid: expect.any(Number) as number,
        node: expect.any(String) as string,
      });
    }
  });

  test('the second look writes nothing to Proxmox and nothing to Kubernetes', async () => {
    const settle = async (more: number): Promise<void> => {
      const from = await rounds();
      await until(rounds, seen => seen >= from + more);
    };
    await settle(20);
    const versions = async () =>
      (await lab.all('mill')).map(
        ({ kind, metadata: { name, resourceVersion } }) => `${kind} ${name} ${resourceVersion}`,
      );
    const before = await versions();
    lab.simulator.ledger.reset();
    const asked = lab.kubernetes.requests().length;
    await settle(40);
    expect(lab.writes()).toEqual([]);
    expect(lab.kubernetes.requests().slice(asked)).toEqual([]);
    expect(await versions()).toEqual(before);
  });

  test('a class with other sizes changes the machines that name it', async () => {
    const deep = '{"spec":{"cpus":4,"memory":"2Gi"}}';
    lab.kubernetes.done(['patch', 'vmclass', 'deep', '-n', 'mill', '--type=merge', '-p', deep]);
    await lab.untilTrue(() => lab.guests('sluice')[0]?.config['memory'] === '2048');
    expect(lab.guests('sluice')[0]?.config['cores']).toBe('4');
  });
});
