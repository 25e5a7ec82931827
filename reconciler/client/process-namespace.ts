import { readlinkSync } from 'node:fs';

/**
 * The namespace of processes that this one is in: two containers may share the folder of temporary files, and no
 * processes. Empty where the system has none, or does not tell.
 */
export function processNamespace(): string {
  return linkAt('/proc/self/ns/pid') ?? '';
}

/** Whether `/proc` lists the processes of this namespace: in a container it may be that of the host. */
export function hasOwnProc(): boolean {
  return linkAt('/proc/self') === String(process.pid);
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
