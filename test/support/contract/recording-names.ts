import { readFileSync } from 'node:fs';
import type { Item } from './inventory';
import { permissionName } from './inventory';
import type { Row } from './session';

/** What a recording can have made, by the names that stand in it. */
export class RecordingNames {
  private readonly text: string;
  private readonly vmids: Set<string>;

  constructor(
    file: string,
    private readonly world: { acl: Row[] },
  ) {
    this.text = readFileSync(file, 'utf8');
    const named = /"(?:vmid|newid|vms|target-vmid)": "([\d,]+)"|\/qemu\/(\d+)|vm:(\d+)/g;
    this.vmids = new Set(
      [...this.text.matchAll(named)].flatMap(([, list, one, resource]) =>
        (list ?? one ?? resource ?? '').split(','),
      ),
    );
  }

  /** Whether the recording could have made this. What stands in world.json it only uses. */
  includes(item: Item): boolean {
    const { kind, name } = item;
    if (kind === 'guest') return this.vmids.has(name);
    if (kind === 'HA resource') return this.vmids.has(name.split(':')[1] ?? '');
    if (kind === 'permission') return !this.isOfWorld(item) && this.names(name.split(' ')[2] ?? '');
    if (this.isOfWorld(item)) return false;
    const owner = /:(?:.*\/)?(?:vm|base)-(\d+)-[^/]*$/.exec(name)?.[1];
    if (owner !== undefined) return this.vmids.has(owner);
    return this.names(kind === 'volume' ? (name.split('/').at(-1) ?? name) : name);
  }

  /** Whether world.json names it. */
  isOfWorld({ kind, name }: Pick<Item, 'kind' | 'name'>): boolean {
    if (kind === 'permission') return this.world.acl.map(permissionName).includes(name);
    return JSON.stringify(this.world).includes(JSON.stringify(name));
  }

  private names(name: string): boolean {
    return this.text.includes(name);
  }
}
