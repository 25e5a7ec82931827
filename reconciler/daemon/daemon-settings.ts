import { durationIn } from '../config/cluster-settings';
import { readVariable, type Environment } from '../config/cluster-variables';
import { InputError } from '../errors';
import { addressOf, type Address } from './http/address';

/** How the daemon is asked to work. */
export interface DaemonSettings {
  intervalMs: number;
  /** How many machines are worked on at once. */
  concurrency: number;
  /** Where to listen; undefined: nowhere. */
  metrics: Address | undefined;
  probes: Address | undefined;
  status: Address | undefined;
  /** The names under which the status may be asked for, in small letters. */
  allowedHosts: string[];
}

const INTERVAL = { from: '100ms', to: '24h', otherwise: '30s' };
const MOST_AT_ONCE = 1_000;

/** Reads the settings of the daemon. Throws one `InputError` with all that is wrong. */
export function daemonSettings(environment: Environment): DaemonSettings {
  const faults: string[] = [];
  const read = (name: string, otherwise: string): string =>
    readVariable(name, environment, faults)?.trim() ?? otherwise;
  const listensAt = (name: string, otherwise: string): Address | undefined => {
    const text = read(name, otherwise);
    if (text === '0') return undefined;
    const address = addressOf(text);
    if (address === undefined)
      faults.push(`${name} is no address: give host:port or :port, such as ${otherwise}; 0 listens nowhere.`);
    return address;
  };
  const settings = {
    intervalMs: durationIn('RECONCILE_INTERVAL', environment, INTERVAL, faults),
    concurrency: concurrency(read('MAX_CONCURRENT_RECONCILES', '5'), faults),
    metrics: listensAt('METRICS_BIND_ADDRESS', ':8080'),
    probes: listensAt('HEALTH_PROBE_BIND_ADDRESS', ':8081'),
    status: listensAt('STATUS_BIND_ADDRESS', '127.0.0.1:8082'),
    allowedHosts: hostsIn(readVariable('STATUS_ALLOWED_HOSTS', environment, faults) ?? '', faults),
  };
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return settings;
}

function hostsIn(text: string, faults: string[]): string[] {
  const names = text.split(/[\s,]+/).filter(name => name !== '');
  const wrong = names.filter(name => !/^[\w.-]+$/.test(name));
  if (wrong.length > 0)
    faults.push(
      `STATUS_ALLOWED_HOSTS: ${wrong.join(', ')}: give names of hosts with commas between, without ports, such as status.example.com.`,
    );
  return names.map(name => name.toLowerCase().replace(/\.$/, ''));
}

function concurrency(text: string, faults: string[]): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_AT_ONCE) return count;
  faults.push(`MAX_CONCURRENT_RECONCILES: allowed: a whole number from 1 to ${MOST_AT_ONCE}, such as 5.`);
  return 1;
}
