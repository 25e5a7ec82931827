import * as z from 'zod';
import type { Pve } from '../http/client';
import { PveError } from '../answers/errors';
import type { PveErrorKind } from '../answers/failure-decisions';
import { guestPath, type GuestAddress } from './qemu';

const Address = z.object({ 'ip-address': z.string() });
const Interface = z.object({
  name: z.string(),
  'hardware-address': z.string().optional().catch(undefined),
  'ip-addresses': sound(Address),
});
const Interfaces = z.object({ result: sound(Interface) });
export type GuestInterfaces = z.infer<typeof Interfaces>['result'];

/**
 * Why nothing is known of a guest's network. qemu-server API2/Qemu/Agent.pm: no agent configured, guest not running,
 * agent not running; and whatever a guest may answer that is no such list: it must never stop a run.
 */
const SILENT: PveErrorKind[] = ['failed', 'not-implemented', 'unreadable'];

/** What the agent in the guest says of its network; the reason as text when no agent answers. */
export async function readInterfaces(pve: Pve, guest: GuestAddress): Promise<GuestInterfaces | string> {
  const path = `${guestPath(guest)}/agent/network-get-interfaces`;
  try {
    return (await pve.call({ method: 'GET', path, answer: Interfaces })).result;
  } catch (error) {
    if (error instanceof PveError && SILENT.includes(error.kind)) return error.facts.text.trim();
    throw error;
  }
}

const FileContent = z.object({ content: z.string() });
/** `no-file`: the agent answers, and there is no such file. `silent`: no agent answers. `refused`: it reads no files. */
type GuestFile = { content: string } | { why: 'no-file' | 'silent' | 'refused'; text: string };

/** A file in the guest, as its agent reads it. */
export async function readGuestFile(pve: Pve, guest: GuestAddress, file: string): Promise<GuestFile> {
  const path = `${guestPath(guest)}/agent/file-read`;
  try {
    const { content } = await pve.call({ method: 'GET', path, params: { file }, answer: FileContent });
    return { content };
  } catch (error) {
    if (!(error instanceof PveError) || ![...SILENT, 'denied', 'not-found'].includes(error.kind)) throw error;
    const text = error.facts.text.trim();
    return { why: whyNoFile(text, error.kind), text };
  }
}

/** assumed: nobody recorded an agent that answers. `Agent error:` is what qemu-server says before the agent's own words. */
function whyNoFile(text: string, kind: PveErrorKind): 'no-file' | 'silent' | 'refused' {
  if (/No such file or directory/.test(text)) return 'no-file';
  return kind === 'denied' || /Agent error:/.test(text) ? 'refused' : 'silent';
}

/** The parts of a list that can be read. The guest writes it, and the guest may be anybody's. */
function sound<T>(shape: z.ZodType<T>) {
  return z
    .array(z.unknown())
    .catch([])
    .transform(all =>
      all.flatMap(given => {
        const one = shape.safeParse(given);
        return one.success ? [one.data] : [];
      }),
    );
}
