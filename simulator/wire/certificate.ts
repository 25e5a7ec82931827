import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  X509Certificate,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import {
  bitString,
  TRUE,
  integer,
  octetString,
  oid,
  sequence,
  set,
  tagged,
  utcTime,
  utf8String,
} from './der';

/** What a server presents, and the authority that vouches for it; all PEM. */
export interface Identity {
  ca: string;
  cert: string;
  key: string;
}

const VALID_FROM = new Date('2020-01-01T00:00:00Z');
const VALID_TO = new Date('2049-01-01T00:00:00Z');

const LOOPBACK = [Buffer.from([127, 0, 0, 1]), Buffer.concat([Buffer.alloc(15), Buffer.from([1])])];

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

function name(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8String(commonName))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return critical ? sequence(oid(id), TRUE, octetString(value)) : sequence(oid(id), octetString(value));
}

/** The name of a key: the SHA-1 of its bits, which close the SubjectPublicKeyInfo. */
function keyId(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

const subjectKey = (key: KeyObject): Buffer => extension('2.5.29.14', false, octetString(keyId(key)));
const authorityKey = (key: KeyObject): Buffer =>
  extension('2.5.29.35', false, sequence(tagged(0x80, keyId(key))));

/** Extensions of an authority: it may sign certificates and nothing else. */
function authorityExtensions(key: KeyObject): Buffer[] {
  return [
    extension('2.5.29.19', true, sequence(TRUE)),
    extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
    subjectKey(key),
  ];
}

/** Extensions of a server with these names. */
function serverExtensions(key: KeyObject, authority: KeyObject, names: Buffer[]): Buffer[] {
  return [
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', false, sequence(...names)),
    subjectKey(key),
    authorityKey(authority),
  ];
}

interface Request {
  validTo: Date;
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

function certificate({ subject, issuer, publicKey, signer, extensions, validTo }: Request): string {
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0);
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    name(issuer),
    sequence(utcTime(VALID_FROM), utcTime(validTo)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, signer)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const subjectName = (host: string): Buffer =>
  isIPv4(host) ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host));

/**
 * A new authority and a server certificate for loopback and these host names. Nobody else ever gets its key. Tests
 * also take one that is out of date, or that names other hosts only.
 */
export function newIdentity(
  hosts: string[],
  { validTo = VALID_TO, loopback = true }: { validTo?: Date; loopback?: boolean } = {},
): Identity {
  const names = [...(loopback ? ['localhost'] : []), ...hosts].map(subjectName);
  if (loopback) names.push(...LOOPBACK.map(ip => tagged(0x87, ip)));
  const ca = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const server = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const issuer = 'Proxmox Virtual Environment (simulated)';
  return {
    ca: certificate({
      subject: issuer,
      issuer,
      publicKey: ca.publicKey,
      signer: ca.privateKey,
      extensions: authorityExtensions(ca.publicKey),
      validTo: VALID_TO,
    }),
    cert: certificate({
      subject: hosts[0] ?? 'localhost',
      issuer,
      publicKey: server.publicKey,
      signer: ca.privateKey,
      extensions: serverExtensions(server.publicKey, ca.publicKey, names),
      validTo,
    }),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The SHA-256 fingerprint as Proxmox shows it: upper case, with colons. */
export function fingerprintOf(identity: Identity): string {
  return new X509Certificate(identity.cert).fingerprint256;
}

/** Fails on an identity that could not serve, as one read from a damaged file. */
export function checkIdentity(identity: Identity): void {
  const certificateRead = new X509Certificate(identity.cert);
  if (!certificateRead.checkPrivateKey(createPrivateKey(identity.key)))
    throw new Error('the certificate and the key do not belong together');
}
