import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
import { judged, resource } from '../../support/kubernetes/judged';
import { conditionOf, kubernetesLab, type KubernetesLab } from '../../support/kubernetes/kubernetes-lab';
import { BY_CONDITION, BY_SERVER } from './wrong-documents';

const SPACE = 'team-a';
const OWN_IMAGE = ['image', 'imageRef', 'template'];

describeKubernetes('wrong documents', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
  });
  afterAll(() => lab?.close());

  const document = (kindName: string, name: string, spec: object) => {
    const kind = RESOURCE_KINDS.find(({ kind: each }) => each === kindName)!;
    const apiVersion = `${kind.group}/${kind.version}`;
    return { apiVersion, kind: kindName, metadata: { name, namespace: SPACE }, spec };
  };

  test('there are sixty of them at least', () => {
    expect(BY_SERVER.length + BY_CONDITION.length).toBeGreaterThanOrEqual(60);
  });

  test.each(BY_SERVER)('the server refuses %s', async (_, kind, spec, says) => {
    const args = ['apply', '--dry-run=server', '-f', '-'];
    const { ok, stderr } = lab.kubernetes.kubectl(args, JSON.stringify(document(kind, 'wrong', spec)));
    expect(ok).toBe(false);
    for (const text of says) expect(stderr).toContain(text);
    expect(stderr).not.toContain('hunter2');
    // whoever reads the same from a file is refused, too
    const { faults } = await judged(resource(kind, 'wrong', spec));
    expect(faults['wrong']).toContain('wrong');
  });

  test('each of the others has a condition', async () => {
    lab.applyCluster();
    const rows = BY_CONDITION.map(([what, kind, spec, says], index) => {
      const isMachine = RESOURCE_KINDS.some(each => each.kind === kind && each.role === 'machine');
      const isBare = isMachine && !Object.keys(spec).some(key => OWN_IMAGE.includes(key));
      const where = isMachine ? { cluster: 'lab', ...(isBare && { image: { blank: true } }) } : {};
      return {
        what,
        says,
        name: `wrong-${index}`,
        json: document(kind, `wrong-${index}`, { ...where, ...spec }),
      };
    });
    lab.apply(document('VMClass', 'small', { cpus: 1 }), ...rows.map(({ json }) => json));
    lab.start();
    const missing: string[] = [];
    for (const { what, says, name, json } of rows) {
      const { plural } = RESOURCE_KINDS.find(({ kind }) => kind === json.kind)!;
      const type = json.kind === 'VMSnapshot' ? 'Accepted' : 'Ready';
      const seen = await lab.untilIs(plural, name, each => conditionOf(each, type)?.status === 'False');
      const { message = '' } = conditionOf(seen, type) ?? {};
      for (const text of says)
        if (!message.includes(text)) missing.push(`${what}: no ${text} in: ${message}`);
      if (!/\. [A-Z]/.test(message)) missing.push(`${what}: no remedy in: ${message}`);
    }
    expect(missing).toEqual([]);
    expect(lab.writes()).toEqual([]);
  });
});
