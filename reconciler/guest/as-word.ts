/**
 * What stands in a guest, as a word of a printed command. Whoever may write a guest's description, or make a volume (PVE:
 * `vm-100-$(reboot).qcow2` is a name), need not be whoever runs the command: what a shell would read otherwise stands as
 * `name`.
 */
export function asWord(text: string | undefined, name: string): string {
  return text !== undefined && /^[\w/][\w@%+=:,./-]*$/.test(text) ? text : name;
}
