// @ts-check
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

/**
 * Asks the simulated cluster as a person with a token would.
 * @param {{ url: string, caFile: string, tokenId: string, tokenSecret: string }} access
 */
export function askingOf({ url, caFile, tokenId, tokenSecret }) {
  const dispatcher = new Agent({ connect: { ca: readFileSync(caFile) } });
  /** @param {string} method @param {string} place @param {Record<string, string>} [form] */
  return async (method, place, form) => {
    const { body, statusCode } = await request(`${url}/api2/json${place}`, {
      method,
      dispatcher,
      headers: {
        authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    if (statusCode !== 200) throw new Error(`${method} ${place} was answered with ${statusCode}`);
    const answer = /** @type {{ data: any }} */ (await body.json());
    return answer.data;
  };
}
