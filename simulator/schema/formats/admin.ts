import { PRIVILEGES } from './privilege-list';
import type { CodeFormat } from './network';
import { format } from './network';

const CONTENT_TYPES = ['images', 'rootdir', 'vztmpl', 'iso', 'backup', 'snippets', 'none', 'import'];

const EMAIL_USER = '[\\w+\\-~]+(\\.[\\w+\\-~]+)*';
const EMAIL = new RegExp(`^${EMAIL_USER}@[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)*\\n?$`);

const id = (type: string): CodeFormat =>
  format(/^[a-z][a-z0-9\-_.]*[a-z0-9]\n?$/i, value => `${type} ID '${value}' contains illegal characters`);

const name = (type: string, characters: RegExp): CodeFormat =>
  format(characters, value => `${type} name '${value}' contains invalid characters`);

/** user@realm with Proxmox's two ways to be wrong. */
function wrongUser(value: string): string | undefined {
  if (value.length < 3) return `user name '${value}' is too short`;
  if (value.length > 64) return `user name '${value}' is too long (${value.length} > 64)`;
  if (/^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+$/.test(value)) return undefined;
  return `value '${value}' does not look like a valid user name`;
}

function wrongPool(value: string): string | undefined {
  const parts = value.split('/');
  if (parts.length > 3) return `pool name '${value}' nested too deeply (max levels = 3)`;
  return /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+){0,2}\n?$/.test(value)
    ? undefined
    : `pool name '${value}' contains invalid characters`;
}

/** Proxmox gives pairs two line ends: one of the text inside, one of its own. */
function wrongPair(pattern: RegExp, wrongId: (value: string) => string): CodeFormat {
  return value => {
    if (value === '1') return undefined;
    const pair = /^([^:]+):([^:]+)$/.exec(value);
    const bad = (pair ? pair.slice(1) : [value]).find(part => !pattern.test(part));
    return bad === undefined ? undefined : `entry '${value}' contains invalid ID - ${wrongId(bad)}\n\n`;
  };
}

/** Formats of users, storages, nodes, pools and the cluster, with Proxmox's texts. */
export const ADMIN_FORMATS: Record<string, CodeFormat> = {
  'pve-configid': format(/^[a-z][a-z0-9_-]+\n?$/i, value => `invalid configuration ID '${value}'`),
  'pve-storage-id': id('storage'),
  'pve-node': format(
    /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\n?$/,
    'value does not look like a valid node name',
  ),
  'storage-pair': wrongPair(
    /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i,
    value => `storage ID '${value}' contains illegal characters`,
  ),
  'bridge-pair': wrongPair(/^[-_.\w]+$/, value => `invalid bridge ID '${value}'`),
  'pve-userid': wrongUser,
  'pve-groupid': name('group', /^[A-Za-z0-9._-]+\n?$/),
  'pve-roleid': name('role', /^[A-Za-z0-9._-]+\n?$/),
  'pve-priv': format(
    // which of them a release has, the roles know
    value => PRIVILEGES.includes(value) || value === 'VM.Monitor',
    value => `invalid privilege '${value}'`,
  ),
  'pve-poolid': wrongPool,
  'pve-realm': format(
    value => /^[A-Za-z][A-Za-z0-9.\-_]+\n?$/.test(value) && value.length <= 32,
    'value does not look like a valid realm',
  ),
  'pve-tokenid': format(
    /^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+![A-Za-z][A-Za-z0-9.\-_]+\n?$/,
    value => `value '${value}' does not look like a valid token ID`,
  ),
  'pve-task-status-type': format(/^(ok|error|warning|unknown)\n?$/i, value => `invalid status '${value}'`),
  email: format(EMAIL, 'value does not look like a valid email address'),
  'email-or-username': format(
    value => EMAIL.test(value) || new RegExp(`^${EMAIL_USER}$`).test(value),
    'value does not look like a valid email address or user name',
  ),
  'pve-storage-content': format(
    value => CONTENT_TYPES.includes(value),
    value => `invalid content type '${value}'`,
  ),
  'pve-storage-path': format(/^\/[^;()]+/, 'value does not look like a valid absolute path'),
  'pve-storage-vgname': format(
    /^[a-z0-9][a-z0-9\-_.]*[a-z0-9]\n?$/i,
    value => `lvm name '${value}' contains illegal characters`,
  ),
  'pve-storage-options': format(/^\S+\n?$/, value => `invalid options '${value}'`),
  'pve-ha-resource-id': format(/^[a-z]+:\S+\n?$/, 'value does not look like a valid ha resource id'),
  'pve-ha-resource-or-vm-id': format(
    /^([a-z]+:\S+|\d+)\n?$/,
    'value does not look like a valid ha resource id',
  ),
  'pve-ha-node': format(
    /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(:\d+)?$/,
    'value does not look like a valid ha node',
  ),
};
