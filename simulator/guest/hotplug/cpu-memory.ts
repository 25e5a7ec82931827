import { fail, failParameters } from '../../failure';
import { hasBooted } from '../agent/booted';
import { MAX_MIB, mebibytes, modulesUpTo, staticMemory } from '../keys/memory-modules';
import type { Plugging } from './plugging';

/** Brings the running CPUs to a number; without one to all that the guest may have. Only a booted guest gives some back. */
export function plugCpus({ sim, guest }: Plugging, key: string, value: string): string {
  const { sockets = '1', cores = '1', vcpus } = guest.config;
  const most = Number(sockets) * Number(cores);
  const wanted = Number(value) || most;
  if (wanted > most) fail("you can't add more vcpus than maxcpus");
  const now = Number(vcpus ?? most);
  if (wanted < now && !hasBooted(sim, guest)) failParameters({ [key]: `error unplugging cpu${now}` });
  return String(wanted);
}

/** Brings the running memory to a size in MiB, module by module: the result may be larger than what was asked. */
export function plugMemory({ sim, guest }: Plugging, _key: string, value: string): string {
  const now = mebibytes(guest.config['memory'] ?? '512');
  const wanted = mebibytes(value);
  if (wanted === now) return value;
  const least = staticMemory(guest.config);
  if (wanted < least) {
    fail(`memory can't be lower than ${least} MB at /usr/share/perl5/PVE/QemuServer/Memory.pm line 217.`);
  }
  if (wanted > MAX_MIB) fail(`you cannot add more memory than max mem ${MAX_MIB} MB!`);
  const sizes = modulesUpTo(guest.config, Math.max(now, wanted)).map(({ total }) => total);
  if (wanted > now) return String(sizes.at(-1) ?? wanted);
  const plugged = sizes.filter(size => size <= now);
  if (!hasBooted(sim, guest))
    failParameters({ [`dimm${Math.max(0, plugged.length - 1)}`]: 'error unplug memory module' });
  return String([least, ...plugged].find(size => size >= wanted) ?? now);
}
