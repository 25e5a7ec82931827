import { fail } from '../../failure';
import type { Guest, Running } from '../../world';

const FIRST_PID = 1000;

/** Programs that end with another code than 0. */
const CODES: Record<string, number> = { false: 1 };

// assumed: what the simulated system has, a small Debian with cloud-init
const PROGRAMS = new Set(
  [
    'apt apt-get awk bash cat chmod chown cloud-init cp curl cut date dd df dpkg du echo env false find free getent',
    'grep groupadd head hostname hostnamectl id ip journalctl kill ln ls lsblk mkdir mktemp mount mv networkctl nproc',
    'passwd ping printf ps pwd python3 readlink reboot resize2fs resolvectl rm rmdir sed service sh shutdown sleep sort',
    'ss stat sudo sync sysctl systemctl tail tar tee test timedatectl timeout touch tr true umount uname uptime useradd',
    'usermod wc which whoami xargs',
  ].flatMap(line => line.split(' ')),
);

const DIRECTORIES = ['/bin/', '/sbin/', '/usr/bin/', '/usr/sbin/'];

/** Pretends to run a program: nothing happens in the guest, and it ends at once. Fails when it has no such program. */
export function runProgram({ files }: Guest, running: Running, path: string): { pid: number } {
  const name = nameOf(path);
  const why = files && Object.hasOwn(files, path) ? 'Permission denied' : 'No such file or directory';
  if (!PROGRAMS.has(name)) {
    // assumed: QEMU 8.2's words around GLib's
    fail(
      `Agent error: Guest agent command failed, error was 'Failed to execute child process “${path}” (${why})'`,
    );
  }
  const { last, ended } = running.commands ?? { last: FIRST_PID, ended: {} };
  const pid = last + 1;
  running.commands = { last: pid, ended: { ...ended, [pid]: CODES[name] ?? 0 } };
  return { pid };
}

/** How a program ended. The agent says it once, then it forgets the program (assumed from QEMU's source). */
export function statusOf(running: Running, pid: number): { exited: 1; exitcode: number } {
  const exitcode = running.commands?.ended[pid] ?? fail(`Agent error: PID ${pid} does not exist`);
  delete running.commands?.ended[pid];
  return { exited: 1, exitcode };
}

/** The name of a program, without the directory that programs are in. */
function nameOf(path: string): string {
  const directory = DIRECTORIES.find(each => path.startsWith(each)) ?? '';
  return path.slice(directory.length);
}
