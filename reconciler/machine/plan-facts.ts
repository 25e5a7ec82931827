/** What a plan stands on besides the guest: read only where a plan needs it. What is absent was not read, or is hidden. */
export interface PlanFacts {
  /** The pools that the caller sees. */
  pools?: readonly string[];
  /** By storage: the volumes that the node sees there. */
  volumes?: Readonly<Record<string, readonly string[]>>;
  /** The guest's snapshots, each with the configuration that it keeps. */
  snapshots?: readonly KeptSnapshot[];
  /** The names of the snapshots of what is cloned. */
  sourceSnapshots?: readonly string[];
}

export interface KeptSnapshot {
  name: string;
  config: Readonly<Record<string, string>>;
}
