import { guestOf, refusedBy, unmarked } from './refused-guest';
import { otherSourceOfFormer } from '../mark/former-id';
import { markOf, observedGuest } from './guest';
import type { ObservedMachine } from '../observed';
import type { Finding, Sought } from './sought';

/** Which of the guests that were found is the machine, or why none may be it; undefined when none concerns it. Pure. */
export function whichGuest(findings: Finding[], sought: Sought): ObservedMachine | undefined {
  const ours = findings.filter(({ verdict }) => verdict === 'ours' || verdict.startsWith('edited'));
  const unfinished = findings.filter(({ verdict }) => verdict === 'unfinished').sort(byChance);
  if (ours.length > 1) return refusedBy('two-guests', ours, sought);
  if (ours.length === 0 && areCopies(unfinished)) return refusedBy('two-guests', unfinished, sought);
  const [found] = [...ours, ...unfinished];
  if (found?.verdict === 'edited-of-entry') return ofAnotherEntry(found, sought);
  if (found?.verdict === 'edited' && sought.heals !== true) return refusedBy('lost-mark', [found], sought);
  if (found && isOfFormerId(found, sought)) return refusedBy('former-id', [found], sought);
  if (found) return guestOf(found);
  // also with `adopt`: that word stays in the code, and would take the guest to whichever state is applied from
  const entry = findings.find(({ verdict }) => verdict === 'other-entry');
  if (entry) return refusedBy('other-entry', [entry], sought);
  const later = findings.find(({ verdict }) => verdict === 'later');
  if (later) return refusedBy('later-mark', [later], sought);
  const damaged = findings.find(({ verdict }) => verdict === 'damaged');
  return damaged && refusedBy('damaged-mark', [damaged], sought);
}

function isOfFormerId({ config }: Finding, { identity, own }: Sought): boolean {
  return own !== undefined && otherSourceOfFormer(markOf(config), identity.ids, own) !== undefined;
}

/** A machine without its mark that another Terraform state made, or none: only its number says that it is meant. */
function ofAnotherEntry(finding: Finding, sought: Sought): ObservedMachine {
  if (!sought.adopt || finding.listed.vmid !== sought.vmid)
    return refusedBy('lost-mark-of-entry', [finding], sought);
  return { kind: 'adoptable', ...unmarked(finding) };
}

/** Which of several unfinished guests goes on: one that is made, of these the lowest id (ADR 0012). */
function byChance(one: Finding, other: Finding): number {
  const isLocked = ({ config }: Finding): number => (config.current['lock'] === undefined ? 0 : 1);
  return isLocked(one) - isLocked(other) || one.listed.vmid - other.listed.vmid;
}

/** Each run of ours chooses a uuid of its own: two marks with one uuid are a guest and somebody's copy of it. */
function areCopies(unfinished: Finding[]): boolean {
  const uuids = unfinished.map(({ listed, config }) => observedGuest(listed, config).mark?.uuid);
  return new Set(uuids).size < uuids.length;
}
