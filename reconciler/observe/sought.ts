import type { Identity } from '../mark/identity';
import type { Verdict } from '../mark/verdict';
import type { UntaggedMarks } from './untagged-guests';
import type { ListedGuest } from '../observed';
import type { GuestConfig } from '../pve';

/** What observing one machine needs to know of it. */
export interface Sought {
  identity: Identity;
  /** The guest's name, by which an unfinished creation or a lost tag is found. */
  name: string;
  /** The id that the spec gives; undefined: automatic. */
  vmid: number | undefined;
  adopt: boolean;
  /** What is absent is to be created: so nothing may be there that it may be, or that it would be taken for. */
  toCreate?: UntaggedMarks;
  /** As much as its spec says, in bytes. */
  memory?: number;
  /** The ids of all machines of the owner that are wanted; absent: not known, so that all of them may be. */
  staying?: ReadonlySet<string>;
  /** Whoever asks can write a lost mark again, or only reads. Absent: a machine without its mark is refused. */
  heals?: boolean;
  /** The sources that ask. Absent: Terraform asks, or nobody told: then whoever wrote a guest last does not matter. */
  own?: readonly string[];
  /** The id under which this run saw it before, if it did. */
  seenAs?: number;
}

/** One guest that was looked at, and what it is to the machine. */
export interface Finding {
  listed: ListedGuest;
  config: GuestConfig;
  verdict: Verdict;
}
