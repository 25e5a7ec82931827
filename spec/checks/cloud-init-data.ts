import { isRecord } from '../reading/path';
import { CLOUD_INIT_DATA, type CloudInitSpec } from '../machine/cloud-init';
import type { NetworkSpec } from '../machine/network';
import type { Finding } from '../reading/problem';
import { mappingFault } from '../reading/yaml-fault';

/** Cloud-init data may take so many bytes altogether. */
export const CLOUD_INIT_LIMIT = 64 * 1024;

/** What the first line of user data says that it is, as cloud-init reads it (its INCLUSION_TYPES_MAP). */
const KINDS: readonly { starts: RegExp; type: string }[] = [
  { starts: /^## template: ?jinja/i, type: 'text/jinja2' },
  { starts: /^#cloud-config-archive\s*(?:\n|$)/, type: 'text/cloud-config-archive' },
  { starts: /^#cloud-config-jsonp\s*(?:\n|$)/, type: 'text/cloud-config-jsonp' },
  { starts: /^#cloud-config\s*(?:\n|$)/, type: 'text/cloud-config' },
  { starts: /^#include-once/, type: 'text/x-include-once-url' },
  { starts: /^#include/, type: 'text/x-include-url' },
  { starts: /^#part-handler/, type: 'text/part-handler' },
  { starts: /^#cloud-boothook/, type: 'text/cloud-boothook' },
  { starts: /^#!/, type: 'text/x-shellscript' },
  { starts: /^(?:Content-Type:|MIME-Version:|From )/i, type: 'multipart/mixed' },
];

/** What a text of user or vendor data is to cloud-init; undefined: nothing that it knows. */
export function userDataKind(text: string): { type: string } | undefined {
  return KINDS.find(({ starts }) => starts.test(text));
}

const HEADERS =
  '"#cloud-config", "#!", "#include", "#cloud-boothook", "## template: jinja", "Content-Type: multipart/…"';
/** The keys of a cloud-config that the plain fields write. */
const KEYS = {
  user: ['user'],
  passwordFrom: ['password', 'chpasswd'],
  sshKeys: ['ssh_authorized_keys'],
  upgradePackages: ['package_upgrade'],
} as const;

/** The data of a machine, literal or as it was read from where the spec points. */
export type CloudInitTexts = Pick<CloudInitSpec, 'userData' | 'vendorData' | 'metaData' | 'networkData'>;

/** Why data cannot be given to a guest, with what is beside it. Paths are those of `cloudInit`. */
export function* cloudInitDataFindings(texts: CloudInitTexts, beside: CloudInitSpec): Iterable<Finding> {
  for (const field of ['userData', 'vendorData'] as const) {
    const text = texts[field];
    if (typeof text !== 'string' || userDataKind(text) !== undefined) continue;
    yield {
      path: [field],
      given: text.split('\n', 1)[0]?.slice(0, 60),
      reason: 'begins with no line that cloud-init knows, so that it would leave all of it out',
      allowed: HEADERS,
      remedy: 'Write "#cloud-config" as the first line, where it is a cloud-config.',
    };
  }
  yield* yamlFindings(texts);
  yield* besidePlainFields(texts.userData, beside);
  yield* tooLarge(texts);
}

/** What cloud-init reads as YAML, and could not. Templates and scripts are none before cloud-init has looked at them. */
function* yamlFindings(texts: CloudInitTexts): Iterable<Finding> {
  for (const field of CLOUD_INIT_DATA) {
    const text = texts[field];
    if (typeof text !== 'string') continue;
    const isShared = field === 'metaData' || field === 'networkData';
    if (!isShared && userDataKind(text)?.type !== 'text/cloud-config') continue;
    const fault = mappingFault(text);
    if (fault === undefined) continue;
    const { line, column, reason, remedy } = fault;
    yield {
      path: [field],
      reason: `is no YAML that cloud-init could read, at line ${line}, column ${column}: ${reason}`,
      remedy,
    };
  }
}

function* besidePlainFields(data: CloudInitTexts['userData'], beside: CloudInitSpec): Iterable<Finding> {
  const said = (['user', 'passwordFrom', 'sshKeys', 'upgradePackages'] as const).filter(
    field => beside[field] !== undefined,
  );
  if (data === undefined || said.length === 0) return;
  if (typeof data === 'string' && userDataKind(data)?.type === 'multipart/mixed') {
    yield {
      path: [said[0] ?? 'user'],
      reason: 'cannot be added to user data that is multipart already',
      remedy: 'Write it into a part of the user data, and remove it here.',
    };
    return;
  }
  for (const field of said) {
    const key = KEYS[field].find(name => saysKey(data, name));
    if (key === undefined) continue;
    yield {
      path: [field],
      reason: `is said twice: ${key} stands in the user data too`,
      remedy: 'Keep one of them.',
    };
  }
  if (
    (beside.user ?? beside.passwordFrom ?? beside.sshKeys) !== undefined &&
    saysKey(data, 'users') &&
    !hasDefault(data)
  ) {
    yield {
      path: [said[0] ?? 'user'],
      reason: 'is about the default user, and users in the user data makes none',
      remedy: 'Add "default" to users, or say it of a user there and remove it here.',
    };
  }
}

function saysKey(data: string | object, key: string): boolean {
  if (typeof data !== 'string') return key in data;
  return (
    userDataKind(data)?.type === 'text/cloud-config' && new RegExp(`^["']?${key}["']?\\s*:`, 'm').test(data)
  );
}

function hasDefault(data: string | object): boolean {
  if (typeof data === 'string') return /^\s*-\s*["']?default["']?\s*$|\[[^\]]*\bdefault\b/m.test(data);
  const users: unknown = isRecord(data) ? data['users'] : undefined;
  return Array.isArray(users) && users.includes('default');
}

function* tooLarge(texts: CloudInitTexts): Iterable<Finding> {
  const bytes = Object.values(texts).reduce((sum, data) => sum + bytesOf(data), 0);
  if (bytes <= CLOUD_INIT_LIMIT) return;
  yield {
    path: [],
    reason: `holds ${bytes} bytes of data`,
    allowed: `at most ${CLOUD_INIT_LIMIT}`,
    remedy: `Remove ${bytes - CLOUD_INIT_LIMIT} bytes: fetch large files in the guest.`,
  };
}

function bytesOf(data: CloudInitTexts['userData']): number {
  if (data === undefined) return 0;
  return new TextEncoder().encode(typeof data === 'string' ? data : JSON.stringify(data)).length;
}

/** Name servers and search domains stand in the network configuration: with data of the user's there must be one. */
export function* dnsFindings(
  cloudInit: CloudInitSpec,
  networks: readonly NetworkSpec[] = [],
): Iterable<Finding> {
  const { dns } = cloudInit;
  const isSaid = (dns?.servers?.length ?? 0) + (dns?.search?.length ?? 0) > 0;
  if (!isSaid || !hasOwnData(cloudInit)) return;
  if ((cloudInit.networkData ?? cloudInit.networkDataFrom) !== undefined) {
    yield {
      path: ['dns'],
      reason: 'cannot be added to networkData',
      remedy: 'Write the name servers into networkData, and remove them here.',
    };
  } else if (!networks.some(({ staticIP, ipv4, ipv6 }) => (staticIP ?? ipv4 ?? ipv6) !== undefined)) {
    yield {
      path: ['dns'],
      reason: 'stands in the network configuration, and no network says an address',
      remedy: 'Say an address of a network too, such as ipv4: "dhcp".',
    };
  }
}

const OWN = ['userData', 'vendorData', 'metaData', 'networkData'] as const;

/** Whether a spec gives data of its own: then the guest gets an ISO of ours instead of Proxmox's cloud-init drive. */
export function hasOwnData(cloudInit: CloudInitSpec | undefined): boolean {
  return OWN.some(field => (cloudInit?.[field] ?? cloudInit?.[`${field}From`]) !== undefined);
}
