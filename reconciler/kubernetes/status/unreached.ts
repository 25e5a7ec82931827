import { ownPrefix } from '../../config/prefix';
import { readyReason, type Resource } from '../resources/resource';
import type { Statement } from './merged-status';

/** What is said of a machine that was wrong: it would stand there after that is mended. */
const OF_FAULTS: readonly unknown[] = [
  ...['InvalidSpec', 'DependencyInvalid', 'ClusterUnusable', 'NotHeld', 'OtherProxmox'],
  undefined,
];

/** What is said of a machine with which nothing is wrong, as long as its cluster does not answer; undefined: what was seen of it stays. */
export function unreachedWords(resource: Resource, cluster: string, why: string): Statement | undefined {
  if (!OF_FAULTS.includes(readyReason(resource))) return undefined;
  const message = `cluster ${cluster} does not answer: ${why} Nothing is done about this machine until it does.`;
  return { type: 'Ready', status: 'False', reason: 'ClusterUnusable', message };
}

/** Why a cluster does not answer, with the names that count here: variables with the prefix of the cluster, fields of its resource. */
export function inWordsOfResources(why: string, cluster: string): string {
  const prefix = ownPrefix({ name: cluster });
  return why
    .replaceAll(/\bPVE_(CA_BUNDLE|FINGERPRINT)\b/g, `${prefix}$1`)
    .replaceAll(/\bPVE_ENDPOINT\b/g, 'spec.endpoint')
    .replace('By variables: set', 'By variables of the daemon: set')
    .replace(
      'In a document: set caCertificate or fingerprint of the cluster',
      'In its resource: set spec.caCertificate or spec.fingerprint',
    );
}
