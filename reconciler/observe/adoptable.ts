import { idOfName, numberedId } from '../guest/id-of-guest';
import { descriptionOf, hasUuidOf } from './guest';
import type { ObservedMachine } from '../observed';
import { letGoFirst } from '../guest/let-go';
import { described, moveCommand } from './refused-guest';
import type { Finding, Sought } from './sought';

type Refused = Extract<ObservedMachine, { kind: 'refused' }>;

/** Whether a guest may be adopted at all: a virtual machine that nobody owns. */
export function isAdoptable({ listed, config, verdict }: Finding): boolean {
  const { mark, isDamaged } = descriptionOf(config);
  const isNobodys = (verdict === 'foreign' || verdict === 'tagged') && mark === undefined && !isDamaged;
  return isNobodys && !listed.template;
}

/**
 * Whether `adopt: true` means this guest. The word stays in the code, and a number is given again after its guest went:
 * somebody else's has another name. Of several guests of one name the id says name and number, as `adopt` prints it. Our tag
 * proves no machine, and no stranger's guest has it.
 */
export function isMeant(
  { listed: { vmid }, config, verdict }: Finding,
  { name, identity: { ids } }: Sought,
): boolean {
  const { name: has } = config.current;
  const saysNumber = name === ids[0] && name === numberedId(idOfName(has), vmid);
  return has === name || saysNumber || verdict === 'tagged';
}

/** The refusal of `adopt: true` for a guest that is not taken over. */
export function notAdoptable(finding: Finding, sought: Sought): Refused {
  const { why, remedy } = whyNotAdoptable(finding, sought);
  const detail = `${described(finding)} cannot be adopted: ${why}.`;
  return { kind: 'refused', why: 'not-adoptable', detail, remedy, changed: 'nothing' };
}

/** The number was given again, or the guest to take over is called otherwise: only a person knows. */
function anotherName(vmid: number, has: string | undefined, wanted: string): { why: string; remedy: string } {
  const other = 'Else give the vmid of another guest, or remove `adopt` and `vmid`.';
  if (has === undefined)
    return {
      why: `it has no name, and this machine is called ${wanted}: the number may have been given to another guest`,
      remedy: `If it is the one to take over: qm set ${vmid} --name ${wanted}, then run again. ${other}`,
    };
  return {
    why: `it is called ${has}, and this machine ${wanted}: the number may have been given to another guest`,
    remedy: `If it is the one to take over: say name: ${JSON.stringify(has)} for its adoption; a later apply may give it another name. ${other}`,
  };
}

/** Why `adopt: true` does not take over a guest that is there, and what to do. */
function whyNotAdoptable(
  { listed, config }: Finding,
  { identity: { owner }, name }: Pick<Sought, 'identity' | 'name'>,
): { why: string; remedy: string } {
  const { mark, isDamaged } = descriptionOf(config);
  if (!listed.template && mark === undefined && !isDamaged)
    return anotherName(listed.vmid, config.current.name, name);
  if (listed.template)
    return { why: 'it is a template', remedy: 'Give the vmid of a virtual machine that nobody owns.' };
  if (mark === undefined)
    return {
      why: 'the last line of its description is a mark that cannot be read',
      remedy: 'Restore that line; where it is to be adopted all the same, remove the line and its tag pvr-….',
    };
  if (mark.isUnfinished !== true && !hasUuidOf(mark, config))
    return {
      why: 'it was cloned by hand from that machine',
      remedy: 'Remove the last line of its description and its tag pvr-… first.',
    };
  if (mark.owner === owner)
    return {
      why: `it is machine ${mark.machine} of this owner already`,
      remedy: `Give this machine that id; or, where it was renamed, formerIds: [${JSON.stringify(mark.machine)}].`,
    };
  const move =
    mark.entry === undefined
      ? `move it: ${moveCommand(mark, owner)}`
      : `which a Terraform state holds: ${letGoFirst(mark)}, and run this again`;
  return {
    why: `it belongs to owner ${mark.owner}`,
    remedy: `Change it by the program of that owner; or, where it is to be one of ${owner}, ${move}.`,
  };
}
