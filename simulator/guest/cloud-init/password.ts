import type { Random } from '../../random';
import { sha256Crypt } from './sha256-crypt';

/** A password hashed as Proxmox hashes it on an update; one that is a hash already stays. */
export function hashedPassword(random: Random, password: string): string {
  if (/^\$(?:[156]|2[ay])(\$.+){2}/.test(password)) return password;
  return sha256Crypt(password, random.hex(8));
}
