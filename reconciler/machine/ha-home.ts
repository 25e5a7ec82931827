/** Where HA wants a guest to be, and takes it back to. */
export interface HaHome {
  /** The rule or the group that says so, for people. */
  of: string;
  /** The nodes that it names, with their priorities: HA wants the highest. */
  nodes: Readonly<Record<string, number>>;
  /** No other node will do. */
  isStrict: boolean;
  /** HA takes it back to the highest while it runs elsewhere. */
  goesBack: boolean;
}

/**
 * Why HA takes a guest back from a node that it was asked to move it to; undefined: it stays there. HA moves it anywhere
 * first, so each run would move it anew. One that is off is taken back when it is started.
 * PVE: Manager.pm, select_service_node, as read.
 */
export function whyTakenBack(
  { of, nodes, isStrict, goesBack }: HaHome,
  to: string,
  online: readonly string[],
): string | undefined {
  if (isStrict && nodes[to] === undefined)
    return `HA's ${of} lets it be on ${Object.keys(nodes).join(' or ')} only, and HA takes it back there`;
  const priority = (node: string): number => nodes[node] ?? -1;
  const better = online.filter(node => priority(node) > priority(to));
  if (!goesBack || better.length === 0) return undefined;
  return `HA's ${of} prefers ${better.join(' and ')}, and HA takes it back there`;
}
