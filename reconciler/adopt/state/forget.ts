import { shellWord } from '../../report/shell-word';
import type { ForeignGuest } from './foreign-guests';
import type { ForeignResource, ForeignState } from './foreign-state';

/** How the tool that holds guests lets go of them without touching them. */
export interface Forgetting {
  /** For Terraform 1.7, OpenTofu 1.10, or later: blocks that go into the old configuration, beside what is taken out of it. */
  file: string | undefined;
  /** For older ones, and for what a block cannot name: one command each. */
  commands: readonly string[];
}

/** `adopted`: the guests that become machines here. A block names all instances of a resource: it stands where all are adopted. */
export function forgetting({ tool, resources }: ForeignState, adopted: readonly ForeignGuest[]): Forgetting {
  if (tool === 'pulumi')
    return {
      file: undefined,
      commands: adopted.map(({ address }) => `pulumi state delete ${shellWord(address)}`),
    };
  const moving = new Set(adopted.map(({ address }) => address));
  const blocks = [...new Set(adopted.map(({ block }) => block))];
  const isLeft = ({ address, doubt }: ForeignResource): boolean =>
    doubt !== undefined || !moving.has(address);
  const partly = new Set(resources.filter(isLeft).map(({ block }) => block));
  const whole = blocks.filter(block => !partly.has(block));
  const parts = adopted.filter(({ block }) => partly.has(block));
  const removed = whole.sort().map(from => ({ from, lifecycle: { destroy: false } }));
  return {
    file: removed.length === 0 ? undefined : `${JSON.stringify({ removed }, undefined, 2)}\n`,
    commands: parts.map(({ address }) => `terraform state rm ${shellWord(address)}`),
  };
}

/** What to read in the place of a guest's attributes, by its provider's names. */
const OUTPUTS =
  'vm_id is vmid, node_name and target_node are nodeName, ipv4_addresses, default_ipv4_address and ssh_host are primaryIpAddress (all of them: ipAddresses), mac_addresses is macAddresses';

/** The resources that read an adopted guest, a line each: what they read goes with it. */
export function readersOf({ resources }: ForeignState, adopted: readonly ForeignGuest[]): string[] {
  const blocks = new Set(adopted.map(({ block }) => block));
  const readers = new Map<string, string[]>();
  for (const { block, reads } of resources) {
    const read = reads.filter(each => blocks.has(each));
    if (read.length > 0 && !blocks.has(block)) readers.set(block, read);
  }
  const lines = [...readers].map(
    ([block, read]) =>
      `${block} depends on ${read.join(', ')}: what it reads of that, let it read of the machine.`,
  );
  return lines.length === 0 ? [] : [...lines, `The machine's outputs: ${OUTPUTS}.`];
}
