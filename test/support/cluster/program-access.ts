import type { Simulator } from '../../../simulator';
import { TOKEN } from './start-cluster';

/** What a program must have in its environment to reach a cluster, as root's token; it is polled often. */
export function programAccess({ url, ca }: Pick<Simulator, 'url' | 'ca'>) {
  return {
    PVE_ENDPOINT: url,
    PVE_TOKEN_ID: TOKEN.id,
    PVE_TOKEN_SECRET: TOKEN.secret,
    PVE_CA_BUNDLE: ca,
    PVE_TASK_POLL_INTERVAL: '20ms',
  };
}

/** The writes that a cluster was asked for since the last call. */
export function takeWrites({ ledger }: Pick<Simulator, 'ledger'>): string[] {
  const writes = ledger.entries().filter(({ method }) => method !== 'GET');
  ledger.reset();
  return writes.map(({ method, path }) => `${method} ${path}`);
}
