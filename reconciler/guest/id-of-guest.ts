/** An id of the letters that an id may have, made of a guest's name; undefined: none of them is in it. */
export function idOfName(name: string | undefined): string | undefined {
  const label = (name ?? '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return label === '' ? undefined : label.replace(/-$/, '');
}

/** An id for one of several guests of that name, or for one without a name. */
export function numberedId(name: string | undefined, vmid: number): string {
  return name === undefined ? `vm-${vmid}` : `${name.slice(0, 50)}-${vmid}`;
}
