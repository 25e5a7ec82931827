import { Deletions } from '../../../reconciler/kubernetes/deletions';
import { matchedOf } from '../../../reconciler/kubernetes/matched';
import { KubernetesRequester } from '../../../reconciler/kubernetes/requester';
import type { Resource } from '../../../reconciler/kubernetes/resources/resource';
import type { Store } from '../../../reconciler/kubernetes/resources/store';
import type { EventWriter } from '../../../reconciler/kubernetes/status/event-writer';
import type { StatusWriter } from '../../../reconciler/kubernetes/status/status-writer';
import type { WantedStatus } from '../../../reconciler/kubernetes/status/merged-status';
import { lab, machine, judgedWhole } from '../../support/kubernetes/judged';

const REASON =
  'its certificate is not signed by an authority that is trusted here. By variables: set PVE_CA_BUNDLE to the ' +
  '/etc/pve/pve-root-ca.pem of a node, or PVE_FINGERPRINT to the fingerprint of the certificate. In a document: ' +
  'set caCertificate or fingerprint of the cluster to the same (SELF_SIGNED_CERT_IN_CHAIN).';

/** What is written of resources whose cluster does not answer, by name. */
async function writtenOf(...machines: Resource[]): Promise<Record<string, WantedStatus>> {
  const resources = [lab('west-1'), ...machines];
  const { plan, judged } = await judgedWhole(...resources);
  const written: Record<string, WantedStatus> = {};
  const store = {
    all: () => resources,
    find: (uid: string) => resources.find(each => each.uid === uid),
  } as unknown as Store;
  const statuses = {
    write: ({ name }: Resource, wanted: WantedStatus) => (written[name] = wanted),
  } as unknown as StatusWriter;
  const events = {} as EventWriter;
  const none = (): void => undefined;
  const deletions = new Deletions(store, statuses, events, {} as never, none);
  const requester = new KubernetesRequester(store, statuses, events, deletions, none);
  const { working } = plan;
  requester.match(
    matchedOf(resources, { plan, judged, working, owner: 'o', source: 's', bySpec: new WeakMap() }),
  );
  requester.clusterStands('west-1', undefined, REASON);
  return written;
}
/** A machine whose condition has a reason. */
const saying = (name: string, reason: string): Resource => {
  const found = machine(name);
  return { ...found, json: { ...found.json, status: { conditions: [{ type: 'Ready', reason }] } } };
};

test('what was wrong and is mended, or new, says that its cluster does not answer; what was seen stays', async () => {
  const written = await writtenOf(
    saying('mended', 'DependencyInvalid'),
    machine('new'),
    saying('seen', 'Running'),
  );
  const unreached = {
    ...{ type: 'Ready', status: 'False', reason: 'ClusterUnusable' },
    message: expect.stringMatching(/^cluster west-1 does not answer: its certificate/) as string,
  };
  expect(written).toMatchObject({ mended: { conditions: [unreached] }, new: { conditions: [unreached] } });
  expect(written['seen']).toBeUndefined();
});

test('the remedy of a cluster names only what counts there', async () => {
  const { 'west-1': cluster } = await writtenOf();
  const message = cluster?.conditions[0]?.message;
  expect(message).toContain('spec.caCertificate or spec.fingerprint');
  expect(message).toContain('PVE_WEST_1_CA_BUNDLE');
  expect(message).not.toMatch(/PVE_(?:CA_BUNDLE|FINGERPRINT)/);
});
