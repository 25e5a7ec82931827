import fc from 'fast-check';
import type { Simulator } from '../../../simulator';
import { JsonError } from '../../../simulator/wire/json/cursor';
import { readJson } from '../../../simulator/wire/json/decoder';
import { sendRaw } from '../../support/api/raw-client';
import { ask, askToEnd, authorizationOf } from '../../support/cluster/ask';
import { recordedWorld } from '../../support/cluster/recorded-world';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';
import { tries } from '../../support/random/tries';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startCluster({ world: recordedWorld() });
  await askToEnd(simulator, 'POST', '/nodes/pve1/qemu', { form: { vmid: '100', memory: '64' } });
});
afterAll(() => simulator.close());

const CONFIG = '/nodes/pve1/qemu/100/config';

function put(body: string | Buffer): ReturnType<typeof sendRaw> {
  const headers = { authorization: authorizationOf(TOKEN), 'content-type': 'application/json' };
  return sendRaw(`${simulator.url}/api2/json`, { method: 'PUT', path: CONFIG, headers, body });
}

const NO_VALUE = 'malformed JSON string, neither tag, array, object, number, string or atom';
const IN_ARRAY = ', or ] expected while parsing array';
const IN_OBJECT = ', or } expected while parsing object/hash';
const NUMBER = 'malformed number';
const STRING_END = 'unexpected end of string while parsing JSON string';

// the words of JSON::XS 4, which Proxmox uses; the first five are those of recording h0
it.each<[string | Buffer, string, number, string]>([
  ['{"memory": 96', IN_OBJECT, 13, '(end of string)'],
  ['memory=96', NO_VALUE, 0, 'memory=96'],
  ['{memory: 96}', `'"' expected`, 1, 'memory: 96}'],
  [`{'memory': 96}`, `'"' expected`, 1, `'memory': 96}`],
  ['{"memory": 96,}', `'"' expected`, 14, '}'],
  ['{"memory" 96}', "':' expected", 10, '96}'],
  ['{"memory": }', NO_VALUE, 11, '}'],
  ['{"memory": "96}', STRING_END, 15, '(end of string)'],
  ['{"memory', STRING_END, 8, '(end of string)'],
  ['{"a": 1 "b": 2}', IN_OBJECT, 8, '"b": 2}'],
  ['{"a": [1, 2}', IN_ARRAY, 11, '}'],
  ['{"a": [1,]}', NO_VALUE, 9, ']}'],
  ['{"a": tru}', "'true' expected", 6, 'tru}'],
  ['{"a": folse}', "'false' expected", 6, 'folse}'],
  ['{"a": nil}', "'null' expected", 6, 'nil}'],
  ['{"a": 012}', `${NUMBER} (leading zero must not be followed by another digit)`, 7, '12}'],
  ['{"a": -}', `${NUMBER} (no digits after initial minus)`, 7, '}'],
  ['{"a": 1.}', `${NUMBER} (no digits after decimal point)`, 8, '}'],
  ['{"a": 1e}', `${NUMBER} (no digits after exp sign)`, 8, '}'],
  ['{"a": "\\x"}', 'illegal backslash escape sequence in string', 7, '\\\\x"}'],
  ['{"a": "\\u12"}', 'exactly four hexadecimal digits expected', 9, '12"}'],
  ['{"a": "\\ud800"}', 'missing low surrogate character in surrogate pair', 13, '"}'],
  ['{"a": "\\ud800\\u0041"}', 'surrogate pair expected', 19, '"}'],
  ['{"a": "\\udc00"}', 'missing high surrogate character in surrogate pair', 13, '"}'],
  ['{"a": "b\nc"}', 'invalid character encountered while parsing JSON string', 8, '\\nc"}'],
  [Buffer.from('{"a": "\xff"}', 'latin1'), 'malformed UTF-8 character in JSON string', 7, '\\x{fffd}"}'],
  ['{"a": 1} {"b": 2}', 'garbage after JSON object', 9, '{"b": 2}'],
  ['{} // and so on for a long while', 'garbage after JSON object', 3, '// and so on for a l...'],
  ['{"ä": 1, b}', `'"' expected`, 10, 'b}'],
  ['(1)', NO_VALUE.replace('tag, ', ''), 0, '(1)'],
  ['\n\t ', NO_VALUE, 3, '(end of string)'],
  [
    '['.repeat(600),
    'json text or perl structure exceeds maximum nesting level (max_depth set too low?)',
    513,
    `${'['.repeat(20)}...`,
  ],
])('the broken body %j: %s', async (body, why, at, before) => {
  const answer = await put(body);
  const where = ' at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.';
  expect([answer.status, answer.text.trimEnd()]).toEqual([
    500,
    `${why}, at character offset ${at} (before "${before}")${where}`,
  ]);
});

it.each([
  ['"memory"', `Can't use string ("memory") as a HASH ref while "strict refs" in use`],
  [
    `"${'m'.repeat(40)}"`,
    `Can't use string ("${'m'.repeat(32)}"...) as a HASH ref while "strict refs" in use`,
  ],
  ['12.5', `Can't use string ("12.5") as a HASH ref while "strict refs" in use`],
  ['[]', 'Not a HASH reference'],
  ['true', 'Not a HASH reference'],
])('the body %s, which is no object', async (body, why) => {
  const { status, text } = await put(body);
  expect([status, text]).toEqual([500, `${why} at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.\n`]);
});

it.each([
  ['null', '500 no options specified'],
  ['{"delete": null}', '500 no options specified'],
  ['{"memory": null}', "500 unable to parse value of 'memory' - got undefined value"],
  ['{"memory": null, "cores": 2}', "500 unable to parse value of 'memory' - got undefined value"],
  ['{"scsi0": null}', '400 {"scsi0":"unable to parse drive options"}'],
  ['{"digest": null, "cores": 2}', '200 OK'],
])('the body %s, which has no value', async (body, expected) => {
  const { status, reason, text } = await put(body);
  const { errors } = JSON.parse(text) as { errors?: unknown };
  expect(`${status} ${errors ? JSON.stringify(errors) : reason}`).toBe(expected);
});

it('a task of a write without a value fails', async () => {
  const { json } = await askToEnd(simulator, 'POST', CONFIG, { json: { memory: null } });
  const status = await ask(simulator, 'GET', `/nodes/pve1/tasks/${encodeURIComponent(json.data)}/status`);
  expect(status.json.data.exitstatus).toBe("unable to parse value of 'memory' - got undefined value");
});

it('numbers that are too large to be exact stay text', async () => {
  expect((await put('{"name": 123456789012345678901234567890}')).status).toBe(200);
  const { json } = await ask(simulator, 'GET', CONFIG);
  expect(json.data.name).toBe('123456789012345678901234567890');
});

describe('the decoder', () => {
  it('reads what is JSON', () => {
    // larger numbers stay text
    const json = fc.json({ maxDepth: 5 }).filter(text => !/\d{16}/.test(text));
    fc.assert(
      fc.property(json, text => expect(readJson(Buffer.from(text))).toEqual(JSON.parse(text))),
      tries(400),
    );
  });

  it('refuses with a place inside the text whatever else JSON.parse refuses', () => {
    const broken = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[]",:\\x0-+.e \n'))
      .map(([text, at, char]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + char + text.slice(place + 1);
      });
    fc.assert(
      fc.property(broken, text => {
        expect(outcome(() => readJson(Buffer.from(text)), text)).toBe(outcome(() => JSON.parse(text), text));
      }),
      tries(600),
    );
  });

  function outcome(read: () => unknown, text: string): string {
    try {
      read();
      return 'read';
    } catch (error) {
      if (error instanceof SyntaxError) return 'refused';
      if (!(error instanceof JsonError)) throw error;
      return error.at >= 0 && error.at <= Buffer.byteLength(text) ? 'refused' : `refused at ${error.at}`;
    }
  }
});
