/** What decides beside the manifests. */
export interface ManifestSurroundings {
  /** The first part of the owner of all machines. */
  owner: string;
  /** The cluster of machines that name none. */
  defaultCluster: string | undefined;
  /** Whether the environment has variables for this very cluster. */
  isKnown: (cluster: string) => boolean;
  /** Whether the environment has credentials that count for this cluster. */
  hasCredentials: (cluster: string) => boolean;
  /** The keys and values of a Secret that is mounted as a folder; undefined where there is none. */
  mounted: (namespace: string, name: string) => ReadonlyMap<string, string> | undefined;
  apart?: Apart;
}

/** Many people write documents, each in namespaces of their own: none reaches what is another's, or this program's. */
export interface Apart {
  /** The namespace whose clusters all may use. */
  clusterNamespace?: string | undefined;
}

/** Whether what stands in one namespace may use a cluster of another. */
export function mayUse(from: string, cluster: { namespace: string }, apart: Apart | undefined): boolean {
  const { namespace } = cluster;
  return apart === undefined || namespace === from || namespace === apart.clusterNamespace;
}
