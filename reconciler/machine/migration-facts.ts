/** What PVE says before a guest is moved: where it may go, and what it would take along. */
export interface MigrationFacts {
  /** Absent: not told. */
  allowedNodes: string[] | undefined;
  /** By node, what it lacks, in words. */
  lacks: Record<string, string>;
  localDisks: { volid: string; isCd: boolean; isInSnapshot: boolean }[];
  /** Devices that belong to the node. */
  localResources: string[];
  /** Devices that are mapped on several nodes; a guest that runs does not take them along. */
  mappedResources: string[];
}
