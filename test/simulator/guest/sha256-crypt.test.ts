import { sha256Crypt } from '../../../simulator/guest/cloud-init/sha256-crypt';

it.each([
  ['Hello world!', 'saltstring', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  [
    'a much longer password than thirty-two characters',
    'ab',
    '$5$ab$EiHby5fb8/TaHCDtn3KHC1Sf0JmH7DAUNSj7DncGgDA',
  ],
])('hashes %s as crypt(3) does', (password, salt, hash) => {
  expect(sha256Crypt(password, salt)).toBe(hash);
});
