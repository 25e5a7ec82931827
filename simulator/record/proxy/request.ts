import { decodeForm } from '../../wire/form';
import { decodeMultipart } from '../../wire/multipart';
import { isRow } from '../shape';
import type { Row } from '../shape';
import type { Exchange } from './exchange';
import { secretFieldsOf } from './secret-fields';
import { parsedBody, replacedSecret } from './secrets';

/** What a step says of its request, besides who sent it. Undefined: FORMAT.md has no words for it. */
export function requestOf(exchange: Exchange): Row | undefined {
  const { method, path, query, headers, body } = exchange;
  const inUrl = plain(exchange, decodeForm(query));
  const own = { method, path };
  if (method === 'GET' || method === 'DELETE') return { ...own, ...params(inUrl) };
  const more = Object.keys(inUrl).length > 0 ? { query: inUrl } : {};
  if (body === undefined) return undefined;
  if (path === '/access/ticket') return loginOf(own, plain(exchange, decodeForm(body)));
  const type = String(headers['content-type'] ?? '');
  if (type.startsWith('multipart/')) return upload({ ...own, ...more }, type, exchange);
  const parsed = parsedBody(exchange) ?? {};
  if (!isRow(parsed)) return undefined;
  const encoding = type.startsWith('application/json') ? { encoding: 'json' } : {};
  return { ...own, ...more, ...params(plain(exchange, parsed)), ...encoding };
}

const params = (values: Row): Row => (Object.keys(values).length > 0 ? { params: values } : {});

/** Parameters without their secrets. */
function plain({ path, status }: Exchange, values: Row): Row {
  const isSecret = secretFieldsOf(path);
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null) return [];
    if (isSecret(name, {})) return [[name, replacedSecret(name, value, status)]];
    // what is written into a file may hold anything
    return [
      [name, name === 'content' && typeof value === 'string' && value.length > 200 ? 'replaced' : value],
    ];
  });
  return Object.fromEntries(entries);
}

/** The player knows root's password only; it logs the others in by itself. */
function loginOf(own: Row, values: Row): Row | undefined {
  if (values['username'] !== 'root@pam') return undefined;
  return { ...own, as: 'none', params: { ...values, username: '${user}', password: '${password}' } };
}

/** An upload has as many bytes as it had, all zero. */
function upload(own: Row, type: string, exchange: Exchange): Row | undefined {
  const { body = '' } = exchange;
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  const decoded = boundary === undefined ? undefined : decodeMultipart(Buffer.from(body, 'latin1'), boundary);
  if (!decoded) return undefined;
  const {
    filename: _filename,
    checksum: _checksum,
    'checksum-algorithm': _algorithm,
    ...fields
  } = decoded.params;
  return {
    ...own,
    ...params(plain(exchange, fields)),
    file: { name: decoded.file.filename, size: decoded.file.data.length },
  };
}
