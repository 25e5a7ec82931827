import { createHash } from 'node:crypto';
import { canonical, userDataKind } from '../../../spec';

/** A document as a spec gives it: text as it is, or an object that becomes YAML. */
export type Data = string | Record<string, unknown>;

/** What the plain fields of a spec say, as cloud-init reads it. */
export interface PlainFields {
  user?: string | undefined;
  /** Hashed. */
  password?: string | undefined;
  sshKeys?: readonly string[] | undefined;
  upgradePackages?: boolean | undefined;
}

/**
 * The user data of a guest. An object and the plain fields are one cloud-config. Text goes as it is: beside plain
 * fields it is the second part of a multipart document, whose first part they are.
 */
export function userDataText(data: Data | undefined, fields: PlainFields): string {
  const plain = cloudConfigOf(fields);
  if (typeof data !== 'string') return cloudConfig({ ...plain, ...data });
  if (Object.keys(plain).length === 0) return data;
  return multipart([
    { type: 'text/cloud-config', text: cloudConfig(plain) },
    { type: userDataKind(data)?.type ?? 'text/plain', text: data },
  ]);
}

/** What Proxmox's own drive says for the same fields (qemu-server, Cloudinit.pm). */
function cloudConfigOf({ user, password, sshKeys, upgradePackages }: PlainFields): Record<string, unknown> {
  return {
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password, chpasswd: { expire: false } }),
    ...(sshKeys === undefined || sshKeys.length === 0 ? {} : { ssh_authorized_keys: sshKeys }),
    ...(user === undefined && password === undefined ? {} : { users: ['default'] }),
    ...(upgradePackages === undefined ? {} : { package_upgrade: upgradePackages }),
  };
}

/** Data for cloud-init, as it knows them by their first line. */
export function cloudConfig(content: Record<string, unknown>): string {
  return `#cloud-config\n${yamlOf(content)}`;
}

/** The same content gives the same text. JSON is YAML, but for some letters that PyYAML refuses unless they are escaped. */
export function yamlOf(content: unknown): string {
  const json = JSON.stringify(JSON.parse(canonical(content)), undefined, 2);
  const escaped = json.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}

/** The boundary follows from the content, so that the same content gives the same text. */
function multipart(parts: readonly { type: string; text: string }[]): string {
  const encoded = parts.map(({ type, text }) => ({ type, text: inBase64(text) }));
  const boundary = `pvr-${createHash('sha256').update(JSON.stringify(encoded)).digest('hex').slice(0, 24)}`;
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...encoded.flatMap(({ type, text }) => [
      `--${boundary}`,
      `Content-Type: ${type}; charset="utf-8"`,
      'MIME-Version: 1.0',
      'Content-Transfer-Encoding: base64',
      '',
      text,
    ]),
    `--${boundary}--`,
    '',
  ].join('\n');
}

function inBase64(text: string): string {
  const whole = Buffer.from(text, 'utf8').toString('base64');
  return (whole.match(/.{1,76}/g) ?? []).join('\n');
}
