import { sha512Crypt } from '../../reconciler/config/password-hash';

// The vectors that were published with the algorithm.
const vectors = [
  {
    salt: 'saltstring',
    password: 'Hello world!',
    hash: '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  },
  {
    salt: 'rounds=10000$saltstringsaltstring',
    password: 'Hello world!',
    hash: '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
  },
  {
    salt: 'rounds=5000$toolongsaltstring',
    password: 'This is just a test',
    hash: '$6$rounds=5000$toolongsaltstrin$lQ8jolhgVRVhY4b5pZKaysCLi0QBxGoNeKQzQ3glMhwllF7oGDZxUhx1yxdYcz/e1JSbq3y6JMxxl8audkUEm0',
  },
  {
    salt: 'rounds=1400$anotherlongsaltstring',
    password: 'a very much longer text to encrypt.  This one even stretches over morethan one line.',
    hash: '$6$rounds=1400$anotherlongsalts$POfYwTEok97VWcjxIiSOjiykti.o/pQs.wPvMxQ6Fm7I6IoYN3CmLs66x9t0oSwbtEW7o7UmJEiDwGqd8p4ur1',
  },
  {
    salt: 'rounds=77777$short',
    password: 'we have a short salt string but not a short password',
    hash: '$6$rounds=77777$short$WuQyW2YR.hBNpjjRhpYD/ifIw05xdfeEyQoMxIXbkvr0gge1a1x3yRULJ5CCaUeOxFmtlcGZelFl5CxtgfiAc0',
  },
  {
    salt: 'rounds=123456$asaltof16chars..',
    password: 'a short string',
    hash: '$6$rounds=123456$asaltof16chars..$BtCwjqMJGx5hrJhZywWvt0RLE8uZ4oPwcelCjmw2kSYu.Ec6ycULevoBK25fs2xXgMNrCzIMVcgEJAstJeonj1',
  },
  {
    salt: 'rounds=10$roundstoolow',
    password: 'the minimum number is still observed',
    hash: '$6$rounds=1000$roundstoolow$kUMsbe306n21p9R.FRkW3IGn.S9NPN0x50YhH1xhLsPuWGsUSklZt58jaTfF4ZEQpyUNGc0dqbpBYYBaHHrsX.',
  },
];

test.each(vectors)('$salt', ({ salt, password, hash }) => {
  expect(sha512Crypt(password, salt)).toBe(hash);
});

test('without a salt each hash has another', () => {
  const [one, other] = [sha512Crypt('secret'), sha512Crypt('secret')];
  expect(one).toMatch(/^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}$/);
  expect(one).not.toBe(other);
});
