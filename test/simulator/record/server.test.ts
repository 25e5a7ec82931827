import { readEndpoint } from '../../../simulator/record/server/endpoint';
import { readTrust } from '../../../simulator/record/server/trust';

it.each([
  ['https://pve.example', '8006'],
  ['https://pve.example/', '8006'],
  ['https://[::1]', '8006'],
  ['https://pve.example:8007', '8007'],
  // what an URL says of https://HOST:443
  ['https://pve.example:443', ''],
  ['https://[::1]:443/', ''],
])('reads the port of %s', (given, port) => {
  expect(readEndpoint(given).port).toBe(port);
});

it('wants both right where the environment has a bundle and a fingerprint; an option stands alone', () => {
  const pem = '-----BEGIN CERTIFICATE-----';
  const environment = { PVE_CA_BUNDLE: pem, PVE_FINGERPRINT: 'ab'.repeat(32) };
  expect(Object.keys(readTrust({}, environment))).toEqual(['ca', 'fingerprint']);
  expect(readTrust({ ca: pem }, environment)).toEqual({ ca: pem });
  expect(readTrust({ insecure: true }, environment)).toEqual({ insecure: true });
});
