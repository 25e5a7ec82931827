import { lstatSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { warning, type Finding } from './finding';

const OTHERS_MAY = 0o077;

/** The folder where the processes of one user find their shared worker: whether it is private, and what is left in it. */
export async function workerFindings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const user = process.geteuid?.();
  const folder = path.join(environment['TMPDIR'] || tmpdir(), `pve-run-${user ?? ''}`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (user === undefined || found === undefined) return [];
  const isPrivate = found.isDirectory() && found.uid === user && (found.mode & OTHERS_MAY) === 0;
  if (!isPrivate)
    return [
      warning(
        'worker',
        `${folder} is not a folder of this user alone: no worker is shared, each process works alone.`,
        `Remove it, or: chmod 700 ${folder}`,
      ),
    ];
  const sockets = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isSocket());
  const dead = await Promise.all(
    sockets.map(async ({ name }) => ((await answers(path.join(folder, name))) ? [] : [name])),
  );
  return dead
    .flat()
    .map(name =>
      warning(
        'worker',
        `${path.join(folder, name)} is left by a worker that has ended.`,
        'Remove it; the next run does too.',
      ),
    );
}

function answers(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const end = (does: boolean): void => {
      connection.destroy();
      resolve(does);
    };
    const connection = connect(socket, () => end(true)).on('error', () => end(false));
  });
}
