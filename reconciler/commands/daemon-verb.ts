import { DESIRED, type Verb } from './verb';

export const DAEMON_VERB: Verb = {
  name: 'run',
  says: 'Keeps Proxmox as the desired state says, until it is stopped: the daemon.',
  examples: [
    'pve-reconciler run --manifests /etc/pve-reconciler/machines',
    'RECONCILE_INTERVAL=1m LOG_FORMAT=json pve-reconciler run --spec desired.yaml --prune',
    'pve-reconciler run --manifests machines --lease postgres://pve@db.example.com/pve',
    'KUBECONFIG=daemon.kubeconfig pve-reconciler run --kubernetes --namespace team-a',
  ],
  flags: [
    ...DESIRED,
    'kubernetes',
    'namespace',
    'clusterNamespace',
    'source',
    'prune',
    'lease',
    'leaseName',
    'quiet',
  ],
  // to be stopped is how a daemon ends; a later one completes what Proxmox still does
  interrupted: { code: 0, withinMs: 25_000, logs: true },
  load: async () => (await import('./run.js')).run,
};
