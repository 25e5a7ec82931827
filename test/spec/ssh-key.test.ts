import { formatProblems } from '../../spec';
import { machineProblems } from './sample';

const DATA = 'AAAAC3NzaC1lZDI1NTE5AAAAIIxzV+8qi7JTB3+rQRgEsgL1warMJoqvKNFwm16kwprT';
const KEY = `ssh-ed25519 ${DATA}`;
const NIST =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDM4xzm66cjmsuTbSGd0+mZJH0JWKTFTawg3tE5z/QIV8LbGjV4CtVhJCQza7RSqmYcnPmakhHK37SAByNPEkSI=';
const CERTIFICATE =
  'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIKm1YVe6jRmvVyeJcU7I17UmzrHuOR3R3/FzkXQUsD+SAAAAIIxzV+8qi7JTB3+rQRgEsgL1warMJoqvKNFwm16kwprTAAAAAAAAAAAAAAABAAAAAm1lAAAACAAAAARyb290AAAAAAAAAAD//////////wAAAAAAAACCAAAAFXBlcm1pdC1YMTEtZm9yd2FyZGluZwAAAAAAAAAXcGVybWl0LWFnZW50LWZvcndhcmRpbmcAAAAAAAAAFnBlcm1pdC1wb3J0LWZvcndhcmRpbmcAAAAAAAAACnBlcm1pdC1wdHkAAAAAAAAADnBlcm1pdC11c2VyLXJjAAAAAAAAAAAAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIB0OaJVhR46aChIxIfqX3WiE4B+AgRBVJ/C3OXLXmn2yAAAAUwAAAAtzc2gtZWQyNTUxOQAAAEAphQQtSVNnxaTooLoDxX41eVBZdwVLMUsKQMN+2vRlxmVKbz7KuiwlhAM9dmKy3XCrEqY5QJrv0RZ7+AJNoEoA';

const said = (key: string): string => formatProblems(machineProblems({ cloudInit: { sshKeys: [key] } }));

// ssh-keygen 9.2 reads each of these, and none of those below.
it.each([
  ['alone', KEY],
  ['with a comment', `${KEY} me@host on the desk`],
  ['with options', `from="10.0.0.0/8",no-pty ${KEY}`],
  ['with words in quotes', String.raw`command="say \"a b\"" ${KEY}`],
  ['with spaces and tabs', `  ssh-ed25519\t ${DATA}`],
  ['of another type', NIST],
  ['a certificate', CERTIFICATE],
])('a key is taken: %s', (_, key) => expect(said(key)).toBe(''));

const CHANGED = 'copy the whole line';
it.each([
  ['only the beginning of one', 'ssh-rsa AAAA', CHANGED],
  ['cut short', KEY.slice(0, -8), CHANGED],
  ['too long', `${KEY}AAAA`, CHANGED],
  ['behind the type of another', `ssh-rsa ${DATA}`, CHANGED],
  ['behind a word that is no type', `key ${DATA}`, CHANGED],
  ['no key', 'ssh-ed25519 nonsense', 'allowed: a public SSH key on one line'],
  ['without its type', DATA, 'Put its type in front'],
  ['two words in front that are no options', `x y ${KEY}`, 'allowed: a public SSH key on one line'],
  ['a comment line', `# ${KEY}`, 'This is a comment'],
  ['with the end of its line', `${KEY}\n`, 'without its end'],
])('a text is no key: %s', (_, key, why) => expect(said(key)).toContain(why));

it('a private key is not shown', () => {
  const text = said('-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n');
  expect(text).toContain('give the line of its .pub file');
  expect(text).not.toContain('b3BlbnNz');
});
