import { statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import type { Job } from './messages';
import { isPrivate } from './private-folder';
import { readByNode } from './read-by-node';

/** A longer path of a socket is cut, or refused: macOS takes 103 bytes, Linux 107. It has a longer name at first. */
const MOST_BYTES = 103 - '.01234567'.length;

/**
 * The socket of the worker for a job, in a folder that only this user can enter. Undefined: no such folder can be had.
 * Two jobs have the same one when they are of the same program, folder and cluster. No secret is part of the name, not
 * even hashed: on Linux everybody can read the names of sockets, and could try passwords on a hash. The worker itself
 * keeps the credentials of its clients apart.
 */
export function socketFor(job: Job, program: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const folder = path.join(tmpdir(), `pve-run-${user}`);
  const socket = path.join(folder, nameOf(job, program));
  if (Buffer.byteLength(socket) > MOST_BYTES) return undefined;
  return isPrivate(folder, user) ? socket : undefined;
}

function nameOf({ environment, input }: Job, program: string): string {
  const { size, mtimeMs, ino } = statSync(program);
  const cluster = environment['PROXMOX_CLUSTER'] ?? clusterIn(input);
  const place = [hostname(), folderAt('/'), folderAt(process.cwd()), process.version];
  const endpoints = Object.entries(environment).flatMap(([variable, value = '']) =>
    /^PVE_(?:\w+_)?ENDPOINT$/.test(variable) ? [[variable, value.replace(/[^,/]*@/g, '')]] : [],
  );
  const identity = [
    ...[program, size, mtimeMs, ino, place, cluster],
    ...[endpoints.sort(), readByNode(environment)],
  ];
  return sumOf(JSON.stringify(identity));
}

/**
 * 64 bits of a text, by FNV-1a with two factors. Names need to differ, and nothing else: whoever could make two alike is this
 * user already. Node's own hashes take a tenth of a client's start to load.
 */
function sumOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x811c9dc5];
  for (const byte of Buffer.from(text)) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x85ebca6b);
  }
  return [one, other].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Which folder it is: in a container the same path may be another one, and a worker reads files for its clients. */
function folderAt(place: string): unknown[] {
  const { dev, ino } = statSync(place);
  return [place, dev, ino];
}

/** The cluster of a query. Of one that is no JSON, the worker says what is wrong. */
function clusterIn(query: string): unknown {
  try {
    const { cluster }: { cluster?: unknown } = JSON.parse(query);
    return cluster;
  } catch {
    return undefined;
  }
}
