/**
 * The reconciler as a process of its own: connects to a lab, brings machines to what is wanted or destroys one, and
 * prints the errors as JSON. Its only argument is the work as JSON.
 */
import { destroyMachine } from '../../reconciler/destroy-machine';
import { Fleet } from '../../reconciler/fleet';
import { connect } from '../../reconciler/pve';
import { reconcile } from '../../reconciler/reconcile';
import { parseDesiredState } from '../../spec';
import { labConnection } from './lab-connection';

/** Few polls: whoever dies at each request has to die less often between two of them. */
const POLL_MS = 80;

interface Work {
  url: string;
  ca: string;
  /** A document; when there is `destroy`, only its cluster counts. */
  state: unknown;
  destroy?: string;
}

async function run({ url, ca, state, destroy }: Work): Promise<string[]> {
  const parsed = parseDesiredState(state);
  if (!parsed.ok) return parsed.problems.map(({ path, reason }) => `${path} ${reason}`);
  const pve = connect(labConnection(url, ca, POLL_MS));
  const { signal } = new AbortController();
  try {
    if (destroy !== undefined) {
      const fleet = await Fleet.open(pve, parsed.value.cluster, () => undefined, signal);
      await destroyMachine(fleet, { owner: parsed.value.owner, ids: [destroy] });
      return [];
    }
    const endings = await reconcile(parsed.value, pve, () => undefined, signal);
    return endings.flatMap(ending => ('error' in ending ? [String(ending.error)] : []));
  } finally {
    await pve.close();
  }
}

run(JSON.parse(process.argv[2] ?? '{}') as Work).then(
  errors => console.log(JSON.stringify(errors)),
  (error: unknown) => console.log(JSON.stringify([String(error)])),
);
