import { Failure } from '../failure';
import type { RawParameters } from '../schema/check';
import { decodeForm } from '../wire/form';
import type { Head } from '../wire/head';
import { decodeJson } from '../wire/json/body';
import { decodeMultipart } from '../wire/multipart';

/** What a request asks for: its parameters, and a file where it carries one. */
export interface Asked {
  params: RawParameters;
  upload?: { filename: string; data: Buffer };
}

const MAX_POST = 512 * 1024;
/** Ours: uploads are kept in memory. */
const MAX_UPLOAD = 1024 ** 3;
const READABLE = ['', 'application/x-www-form-urlencoded', 'application/json'];

function contentTypeOf(head: Head): { type: string; boundary: string | undefined } {
  const [type = '', ...options] = (head.headers.get('content-type') ?? '').split(/\s*[;,]\s*/);
  const boundary = options.map(text => /^boundary\s*=\s*(\S+?)$/.exec(text)?.[1]).find(found => found);
  return { type, boundary: boundary?.replace(/^"(.*)"$/, '$1') };
}

/** Judges a body by the head alone: how many bytes will come, or a failure in plain text. */
export function expectedLength(head: Head, isUpload: boolean): number {
  const length = Number.parseInt(head.headers.get('content-length') ?? '0', 10);
  if (!(length > 0)) return 0;
  if (head.method !== 'PUT' && head.method !== 'POST')
    throw new Failure(501, `Unexpected content for method '${head.method}'`);
  const { type, boundary } = contentTypeOf(head);
  const unreadable = (status: number): Failure =>
    new Failure(status, `upload 'Content-Type '${head.headers.get('content-type') ?? ''}' not implemented`);
  if (isUpload) {
    if (type !== 'multipart/form-data' || boundary === undefined) throw unreadable(501);
    if (length > MAX_UPLOAD) throw new Failure(501, 'the simulator takes uploads of at most 1 GiB');
    return length;
  }
  if (length > MAX_POST) throw new Failure(501, 'for data too large');
  if (!READABLE.includes(type)) throw unreadable(506);
  return length;
}

/** Decodes query and body; the query wins. Fails in plain text, before anything is looked up. */
export function decodeParameters(head: Head, query: string, body: Buffer, isUpload: boolean): Asked {
  const asked = isUpload ? decodeUpload(head, body) : { params: decodeBody(head, body) };
  if (query !== '') Object.assign(asked.params, decodeForm(query));
  // the web interface sends this to get around caches
  delete asked.params['_dc'];
  return asked;
}

function decodeBody(head: Head, body: Buffer): RawParameters {
  if (head.method !== 'PUT' && head.method !== 'POST') return {};
  if (contentTypeOf(head).type === 'application/json') return decodeJson(body);
  return decodeForm(body.toString('latin1'));
}

function decodeUpload(head: Head, body: Buffer): Asked {
  const upload = decodeMultipart(body, contentTypeOf(head).boundary ?? '');
  if (!upload) throw new Failure(400, 'Bad Request');
  return { params: upload.params, upload: upload.file };
}
