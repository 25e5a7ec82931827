/**
 * One thing that the spec wants of a guest's configuration: a whole key, or one property inside a property string.
 * What nobody wants is never touched.
 */
export interface Want {
  /** The field in the spec's words: `cpu.cores`, `networks[lan].vlan`. */
  field: string;
  /** Proxmox's key: `cores`, `net0`. */
  key: string;
  /** The property inside the key's property string; absent: the whole value. */
  property?: string;
  /** The value in Proxmox's words; null: it must not be there. */
  value: string | number | boolean | null;
  /** True: never shown in a plan, an event or an error. */
  secret?: boolean;
}
