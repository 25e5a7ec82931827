import { ALWAYS, CLOUD_INIT_DATA, milliseconds, type MachineSpec } from '../../../spec';
import { cloudInitStatus, DISABLED_FILE, STATUS_FILE, type CloudInitStatus } from './cloud-init-status';
import type { ObservedGuest } from '../../observed';
import { agentMissing } from '../../outputs/read-guest';
import { readGuestFile, steady, waitUntil } from '../../pve';
import type { Run } from '../../run/run';

/**
 * Waits until cloud-init says that it is done, where the spec asks for it. To be called after a start. Bounded; whatever
 * is wrong is a warning, never a failure: the guest is there, and running again would not repeat what failed in it.
 */
export async function waitForCloudInit(run: Run, spec: MachineSpec, guest: ObservedGuest): Promise<void> {
  const isAsked = spec.cloudInit?.waitForCompletion ?? ALWAYS.cloudInit.waitForCompletion;
  if (!isAsked) return;
  const tell = (kind: 'progress' | 'warning', text: string): void =>
    run.report({ kind, machine: spec.id, text });
  const ended = agentMissing(guest) ?? (await ending(run, spec, guest, text => tell('progress', text)));
  if (typeof ended === 'string') tell('warning', `does not wait any longer for cloud-init: ${ended}.`);
  else if (ended.errors.length > 0) tell('warning', failure(spec, ended));
  else tell('progress', 'cloud-init is done, without errors');
}

/** What cloud-init says once it is done; as text, why nobody waits for that. `tell` is called once, when the wait begins. */
async function ending(
  run: Run,
  spec: MachineSpec,
  guest: ObservedGuest,
  tell: (text: string) => void,
): Promise<CloudInitEnd | string> {
  const { agent = ALWAYS.timeouts.agent, cloudInit = ALWAYS.timeouts.cloudInit } = spec.timeouts ?? {};
  const last: { seen: CloudInitProgress } = { seen: { why: '' } };
  const notice = once(() =>
    tell(`waits for cloud-init: ${agent} until it begins, then ${cloudInit} at most`),
  );
  const wait = { pauses: steady(run.pve.config.poll), signal: run.signal, pausing: notice };
  const untilIt = (is: (seen: CloudInitProgress) => boolean, atMost: string): Promise<true | undefined> => {
    const look = async (): Promise<true | undefined> =>
      is((last.seen = await readCloudInit(run, guest))) || undefined;
    return waitUntil(look, { ...wait, until: performance.now() + milliseconds(atMost) });
  };
  await untilIt(isBegun, agent);
  if (isGoingOn(last.seen)) await untilIt(seen => !isGoingOn(seen), cloudInit);
  const { seen } = last;
  if ('why' in seen) return seen.why;
  if (seen.done) return seen;
  return `it is still at ${seen.stage} after ${cloudInit}; raise timeouts.cloudInit where it takes that long`;
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

type CloudInitEnd = Extract<CloudInitStatus, { done: true }>;
/** `final`: waiting does not change it. */
type CloudInitProgress = CloudInitStatus | { why: string; final?: boolean };

const isBegun = (seen: CloudInitProgress): boolean => !('why' in seen) || seen.final === true;
const isGoingOn = (seen: CloudInitProgress): boolean => 'done' in seen && !seen.done;

async function readCloudInit({ pve }: Run, guest: ObservedGuest): Promise<CloudInitProgress> {
  const file = await readGuestFile(pve, guest, STATUS_FILE);
  if ('content' in file)
    return cloudInitStatus(file.content) ?? { why: `${STATUS_FILE} in the guest is no status` };
  if (file.why === 'silent')
    return { why: `no agent answers, it may not be installed in the guest (${file.text})` };
  if (file.why === 'refused')
    return { why: `its agent may not be asked to read a file (${file.text}); ${ALLOW}`, final: true };
  if ('content' in (await readGuestFile(pve, guest, DISABLED_FILE)))
    return { why: 'cloud-init is switched off in the guest', final: true };
  return { why: 'the agent answers, and cloud-init has not begun; it may not be installed in the guest' };
}

const ALLOW =
  'allow guest-file-open, guest-file-read and guest-file-close in the agent, or the privilege in Proxmox';
const SHOWN = { errors: 3, letters: 300 };

/** What cloud-init says may quote the data, so that nothing of it is shown where that was read from a reference. */
function failure({ cloudInit }: MachineSpec, { errors, status }: CloudInitEnd): string {
  const isSecret = [...CLOUD_INIT_DATA, 'password' as const].some(
    name => cloudInit?.[`${name}From`] !== undefined,
  );
  const shown = errors.slice(0, SHOWN.errors).map(text => text.slice(0, SHOWN.letters));
  const more = errors.length - shown.length;
  const said = isSecret
    ? `${errors.length} errors, which may quote its data and are not shown`
    : `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `cloud-init is done, with the status "${status}": ${said}. Run "cloud-init status --long" in the guest, or look at /var/log/cloud-init.log there. The machine stays as it is. Running again is safe and does not repeat it: changed data does, at the next start.`;
}
