import { createHash } from 'node:crypto';
import type { Config } from '../../world';
import { eniNetwork, nocloudNetwork } from './network';
import { isWindows } from '../keys/machine';
import { unescapePercent } from '../../wire/percent';

/** The parts of a cloud-init image, as GET cloudinit/dump shows them. Snippets of one's own are not looked at. */
export function dumpCloudInit(config: Config, vmid: number, part: string): string {
  const user = userData(config, vmid);
  if (part === 'user') return user;
  const nocloud = cloudInitType(config) === 'nocloud';
  const network = nocloud ? nocloudNetwork(config) : eniNetwork(config);
  if (part === 'network') return network;
  const instance = createHash('sha1')
    .update(user + network)
    .digest('hex');
  return nocloud
    ? `instance-id: ${instance}\n`
    : `{\n     "uuid": "${instance}",\n     "network_config": { "content_path": "/content/0000" }\n}\n`;
}

function cloudInitType({ citype, ostype }: Config): string {
  return citype ?? (isWindows(ostype) ? 'configdrive2' : 'nocloud');
}

function userData(config: Config, vmid: number): string {
  const { ciuser, cipassword, sshkeys, ciupgrade } = config;
  const { hostname, fqdn } = namesOf(config, vmid);
  const lines = ['#cloud-config', `hostname: ${hostname}`, 'manage_etc_hosts: true', `fqdn: ${fqdn}`];
  if (ciuser !== undefined) lines.push(`user: ${ciuser}`);
  if (ciuser === 'root') lines.push('disable_root: False');
  if (cipassword !== undefined) lines.push(`password: ${cipassword}`);
  if (sshkeys !== undefined) {
    const keys = unescapePercent(sshkeys)
      .split('\n')
      .filter(key => key.trim() !== '');
    lines.push('ssh_authorized_keys:', ...keys.map(key => `  - ${key}`));
  }
  lines.push('chpasswd:', '  expire: False');
  if (ciuser !== 'root') lines.push('users:', '  - default');
  if (ciupgrade !== '0') lines.push('package_upgrade: true');
  return lines.map(line => `${line}\n`).join('');
}

function namesOf({ name, searchdomain }: Config, vmid: number): { hostname: string; fqdn: string } {
  const full = name ?? `VM${vmid}`;
  if (full.includes('.')) return { hostname: full.replace(/\..*$/, ''), fqdn: full };
  return { hostname: full, fqdn: searchdomain ? `${full}.${searchdomain}` : full };
}
