import type { Outputs } from '../../spec';

/** The manifest that something was wanted by. */
export interface Subject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
}

/** The manifests of one desired state: by id of the machine, and by name of the node. */
export interface Subjects {
  machines: ReadonlyMap<string, Subject>;
  cluster: Subject | undefined;
  nodes: ReadonlyMap<string, Subject>;
}

/** How all that is wanted stands: a document for each manifest, in its own shape. */
export function statusDocuments({ machines, cluster }: Outputs, subjects: Subjects): object[] {
  const ofMachines = Object.entries(machines).map(([id, status]) => ({
    ...subjects.machines.get(id),
    status,
  }));
  const ofCluster = subjects.cluster && cluster ? [{ ...subjects.cluster, status: cluster }] : [];
  const ofNodes = (cluster?.nodes ?? []).flatMap(({ name, ...status }) => {
    const subject = subjects.nodes.get(name);
    return subject === undefined ? [] : [{ ...subject, status }];
  });
  return [...ofMachines, ...ofCluster, ...ofNodes];
}
