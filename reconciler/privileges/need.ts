/** One privilege on one path. */
export interface Grant {
  path: string;
  privilege: string;
}

/** What an action asks of its caller. */
export interface Need {
  /** What needs it, in words that follow "for": `memory`, `scsi0 on local-lvm`. */
  what: string;
  /** Any one of them is enough; the first is what a caller would be given. Empty: only root@pam in person may. */
  ways: readonly Grant[];
}

/** A guest as permissions see it: the roles on its pool count for it as well. */
export interface Subject {
  vmid: number;
  pool: string | undefined;
}

/** A privilege on a guest, given there or on its pool. */
export function onGuest(what: string, { vmid, pool }: Subject, ...privileges: string[]): Need {
  const paths = [`/vms/${vmid}`, ...(pool === undefined ? [] : [`/pool/${pool}`])];
  return {
    what,
    ways: privileges.flatMap(privilege => paths.map(path => ({ path, privilege }))),
  };
}

/** One of some privileges on a path that is no guest. */
export function onPath(what: string, path: string, ...privileges: string[]): Need {
  return { what, ways: privileges.map(privilege => ({ path, privilege })) };
}

/** What no privilege gives: a token of root is not root. */
export function onlyRoot(what: string): Need {
  return { what, ways: [] };
}

/** What only root@pam in person may write, each once. */
export function rootOnlyOf(needs: readonly Need[]): string[] {
  return [...new Set(needs.filter(({ ways }) => ways.length === 0).map(({ what }) => what))];
}
