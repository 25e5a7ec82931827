import { changeAccess } from '../../access/change';
import { showToken } from '../../access/shown-token';
import { storedField } from '../../access/stored-field';
import { findUser, getToken, getUser } from '../../access/users';
import type { Call, HandlerTable } from '../../cluster/call';
import { failParameters } from '../../failure';
import { splitList } from '../../perl-text';
import type { Token } from '../../world-access';
import { putNamed } from '../../own-keys';

/** The names in the path. */
function named({ params }: Call): { userid: string; tokenid: string } {
  return { userid: params['userid'] ?? '', tokenid: params['tokenid'] ?? '' };
}

/** What the request sets. PVE answers these as they came, as text (recording b3, steps 5 and 22). */
function given({ params }: Call): Record<string, string> {
  const { privsep, expire, comment } = params;
  return {
    ...(privsep === undefined ? {} : { privsep }),
    ...(expire === undefined ? {} : { expire }),
    ...(comment === undefined || comment === '' ? {} : { comment }),
  };
}

function set(token: Token, { params }: Call): void {
  if (params['privsep'] !== undefined) token.privsep = params['privsep'] === '1';
  if (params['expire'] !== undefined) token.expire = Number(params['expire']);
  if (params['comment']) token.comment = storedField(params['comment']);
}

function createToken(call: Call): unknown {
  const { sim } = call;
  const { userid, tokenid } = named(call);
  const exists = Object.hasOwn(findUser(sim, userid)?.tokens ?? {}, tokenid);
  const user = getUser(sim, userid);
  if (exists) failParameters({ tokenid: 'Token already exists.' });
  return changeAccess(sim, 'generating token failed', () => {
    const token: Token = { value: sim.random.uuid(), privsep: true };
    set(token, call);
    putNamed(user.tokens, tokenid, token);
    return {
      info: { privsep: 1, ...given(call) },
      value: token.value,
      'full-tokenid': `${userid}!${tokenid}`,
    };
  });
}

function updateToken(call: Call): unknown {
  const { sim, params } = call;
  const { userid, tokenid } = named(call);
  const token = getToken(sim, userid, tokenid);
  return changeAccess(sim, 'updating token info failed', () => {
    for (const key of splitList(params['delete'])) {
      if (key === 'comment') delete token.comment;
      if (key === 'expire') delete token.expire;
    }
    const before = showToken(token);
    set(token, call);
    // what a new secret answers beside itself is assumed
    if (params['regenerate'] === '1') token.value = sim.random.uuid();
    const renewed =
      params['regenerate'] === '1' ? { value: token.value, 'full-tokenid': `${userid}!${tokenid}` } : {};
    return { ...before, ...given(call), ...renewed };
  });
}

function deleteToken(call: Call): null {
  const { sim } = call;
  const { userid, tokenid } = named(call);
  getToken(sim, userid, tokenid);
  return changeAccess(sim, 'deleting token failed', () => {
    const { access } = sim.world;
    delete getUser(sim, userid).tokens[tokenid];
    access.acl = access.acl.filter(({ ugid }) => ugid !== `${userid}!${tokenid}`);
    return null;
  });
}

export const accessTokensHandlers: HandlerTable = {
  'GET /access/users/{userid}/token': ({ sim, params }) =>
    Object.entries(getUser(sim, params['userid'] ?? '').tokens).map(([tokenid, token]) => ({
      tokenid,
      ...showToken(token),
    })),
  'GET /access/users/{userid}/token/{tokenid}': call => {
    const { userid, tokenid } = named(call);
    return showToken(getToken(call.sim, userid, tokenid));
  },
  'POST /access/users/{userid}/token/{tokenid}': createToken,
  'PUT /access/users/{userid}/token/{tokenid}': updateToken,
  'DELETE /access/users/{userid}/token/{tokenid}': deleteToken,
};
