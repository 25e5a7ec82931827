/** The datacenter's rules for tags; absent: the caller may not read them. */
export interface TagRules {
  /** Who may use which tags without Sys.Modify on /: all, those in use and listed, those listed, none. */
  access: 'free' | 'existing' | 'list' | 'none';
  /** Tags that only Sys.Modify on / gives. */
  registered: readonly string[];
  /** Tags in use or listed, as Proxmox tells this caller. */
  allowed: readonly string[];
}
