/** The allocation form of a drive's file, `store:8`: the storage and the size in GiB. Undefined for anything else. */
export function newDiskOf(file: string): { storage?: string; gib: number } | undefined {
  const match = /^(?:([^/:\s]+):)?(\d+(?:\.\d+)?)$/.exec(file);
  if (!match?.[2]) return undefined;
  return { ...(match[1] === undefined ? {} : { storage: match[1] }), gib: Number(match[2]) };
}

/** Whether the file asks for a new cloud-init drive, `store:cloudinit`. */
export function isNewCloudInit(file: string): boolean {
  return /^(?:[^/:\s]+:)?cloudinit$/.test(file);
}
