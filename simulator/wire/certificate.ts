import type { KeyObject } from 'node:crypto';
import { X509Certificate, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  bitString,
  boolean,
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

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

function name(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8String(commonName))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return critical
    ? sequence(oid(id), boolean(true), octetString(value))
    : sequence(oid(id), octetString(value));
}

/** Extensions of an authority: it may sign certificates and nothing else. */
const authority = [
  extension('2.5.29.19', true, sequence(boolean(true))),
  extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
];

function alternativeNames(dns: string[], ips: Buffer[]): Buffer {
  const names = dns.map(host => tagged(0x82, Buffer.from(host)));
  const addresses = ips.map(ip => tagged(0x87, ip));
  return extension('2.5.29.17', false, sequence(...names, ...addresses));
}

interface Request {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

function certificate({ subject, issuer, publicKey, signer, extensions }: Request): string {
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0);
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    name(issuer),
    sequence(utcTime(VALID_FROM), utcTime(VALID_TO)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, signer)));
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}

/** A new authority and a server certificate for loopback and these host names. Nobody else ever gets its key. */
export function newIdentity(hosts: string[]): Identity {
  const ca = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const server = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const issuer = 'Proxmox Virtual Environment (simulated)';
  const loopback = [Buffer.from([127, 0, 0, 1]), Buffer.concat([Buffer.alloc(15), Buffer.from([1])])];
  return {
    ca: certificate({
      subject: issuer,
      issuer,
      publicKey: ca.publicKey,
      signer: ca.privateKey,
      extensions: authority,
    }),
    cert: certificate({
      subject: hosts[0] ?? 'localhost',
      issuer,
      publicKey: server.publicKey,
      signer: ca.privateKey,
      extensions: [alternativeNames(['localhost', ...hosts], loopback)],
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
