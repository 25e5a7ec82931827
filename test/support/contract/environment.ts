import { resolve } from 'node:path';
import type { Cluster } from './replay-there';

/** The cluster that the environment names for the contract suite; undefined when it names none. */
export function clusterOfEnvironment(): Cluster | undefined {
  const {
    PVE_TEST_ENDPOINT: endpoint,
    PVE_TEST_PASSWORD: password = '',
    PVE_TEST_JOURNAL: journal,
  } = process.env;
  if (endpoint === undefined) return undefined;
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    password,
    journal: journal ?? resolve('.setup/contract-run.json'),
  };
}
