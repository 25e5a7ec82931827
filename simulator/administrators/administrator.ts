/** Somebody else who works on the cluster, as data. What he does and when follows from the seed. */
export interface Administrator {
  /** user@realm or user@realm!token, with the rights that the world gives him. */
  user: string;
  /** How often he does something: after half of this time at the soonest, after one and a half at the latest. */
  everyMs: number;
  /** The guests that he works on; absent: all machines that are no templates. */
  guests?: number[];
  /** How often in all; absent: without an end. */
  count?: number;
  does: Deed[];
}

/** A request. In its texts `{vmid}` and `{node}` are a guest and where it is, and `{n}` counts his requests. */
export interface Deed {
  method: string;
  /** Below /api2/json. */
  path: string;
  params: Record<string, string>;
}
