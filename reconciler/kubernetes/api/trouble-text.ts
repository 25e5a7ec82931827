import type { ApiError } from './api-error';

/** What is told where Kubernetes does not give what is asked of a kind, and what to do. Never a stack. */
export function troubleText({ plural, group }: { plural: string; group: string }, error: ApiError): string {
  const remedies: Readonly<Record<number, string>> = {
    401: 'Kubernetes does not know who asks: look at the token or certificate.',
    403: `Give the daemon's role the verbs get, list and watch on ${plural}.${group}.`,
    404: `There is no definition of it: pve-reconciler schema crds | kubectl apply --server-side -f -. Until then, what was read before counts.`,
  };
  return `${plural}.${group}: ${error.message}. ${remedies[error.status] ?? 'It is tried again.'}`;
}
