/** The script's third part: what the page does, each time as a call that a person can make by hand too. */
export const ACT = String.raw`
const MOST_CALLS = 10;
const quoted = text => "'" + text.replaceAll("'", "'\\''") + "'";
const curlOf = (method, path, body) => ['curl --cacert ' + quoted(about.caFile || 'CA.pem'),
  ...(method === 'GET' || (method === 'POST' && body) ? [] : ['-X ' + method]),
  quoted(location.origin + '/_sim' + path), ...(body ? ['-d ' + quoted(JSON.stringify(body))] : [])].join(' ');

let calls = 0;
const noteCall = line => {
  calls += 1;
  const item = make('li');
  const text = put(item, 'p', undefined, 'curl');
  put(text, 'code', line).id = 'call-' + calls;
  const button = put(text, 'button', 'Copy', 'copy');
  button.type = 'button';
  button.dataset.copy = 'call-' + calls;
  button.setAttribute('aria-label', 'Copy this curl line');
  byId('calls').prepend(item);
  while (byId('calls').children.length > MOST_CALLS) byId('calls').lastChild.remove();
};
const report = (text, name) => {
  setText(byId('result'), text);
  setClass(byId('result'), name);
};
const call = async (method, path, body) => {
  noteCall(curlOf(method, path, body));
  try {
    const answer = await fetch('/_sim' + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (answer.ok) report('Done: ' + method + ' /_sim' + path, 'good');
    else report(method + ' /_sim' + path + ' was refused: ' + (JSON.parse(text).error || text), 'bad');
    return answer.ok ? text : undefined;
  } catch (error) {
    report(method + ' /_sim' + path + ': no answer; look above whether it was done before you try again', 'bad');
    return undefined;
  }
};

const EFFECTS = {
  answer: form => ({ kind: 'answer', status: Number(form.status.value), text: form.text.value }),
  gateway: form => ({ kind: 'gateway', status: Number(form.gateway.value) }),
  reset: () => ({ kind: 'reset' }),
  lost: () => ({ kind: 'reset', work: 'done' }),
  half: () => ({ kind: 'half' }),
  slow: form => ({ kind: 'slow', ms: Number(form.ms.value) }),
  'lock-timeout': () => ({ kind: 'lock-timeout' }),
  'token-revoked': () => ({ kind: 'token-revoked' }),
};
const FORMS = {
  fault: form => ['/faults', {
    ...(form.elements.method.value && { methods: [form.elements.method.value] }),
    path: form.path.value,
    ...(form.count.value && { count: Number(form.count.value) }),
    effect: EFFECTS[form.effect.value](form),
  }],
  advance: form => ['/clock', { advance: Number(form.ms.value) }],
  network: form => ['/network', { lagMs: Number(form.lagMs.value), latencyMs: Number(form.latencyMs.value) }],
};
const showLines = () => {
  for (const [id, orderOf] of Object.entries(FORMS)) setText(byId(id + '-curl'), curlOf('POST', ...orderOf(byId(id))));
  setText(byId('hold-curl'), curlOf('POST', '/clock', holdOrder()));
  setText(byId('permissions-curl'), curlOf('GET', '/permissions'));
  const { effect } = byId('fault');
  for (const part of byId('fault').querySelectorAll('[data-for]')) part.hidden = part.dataset.for !== effect.value;
};
for (const [id, orderOf] of Object.entries(FORMS)) {
  const form = byId(id);
  form.addEventListener('input', () => { form.dataset.touched = '1'; showLines(); });
  form.addEventListener('submit', event => {
    event.preventDefault();
    delete form.dataset.touched;
    void call('POST', ...orderOf(form));
  });
}
const holdOrder = () => ({ scale: about.scale === 0 ? 1 : 0 });
byId('hold').onclick = () => void call('POST', '/clock', holdOrder());
byId('clear-faults').onclick = () => void call('DELETE', '/faults');
byId('forget-permissions').onclick = async () => {
  if (await call('DELETE', '/permissions')) byId('permissions-shown').hidden = true;
};
byId('ask-permissions').onclick = async () => {
  const text = await call('GET', '/permissions');
  if (text === undefined) return;
  setText(byId('permissions'), text);
  byId('permissions-shown').hidden = false;
};

const effectText = ({ kind, status, text, ms, work, event }) => [kind, status, text, ms !== undefined && ms + ' ms',
  work === 'done' && 'after the work', event && event.kind].filter(Boolean).join(' ');
const faultText = ({ id, fault, hits }) => id + ': ' + (fault.methods || ['any']).join(' ') + ' ' + fault.path +
  (fault.user ? ' by ' + fault.user : '') + (fault.after ? ' after ' + fault.after : '') +
  (fault.probability !== undefined ? ' with probability ' + fault.probability : '') +
  ' → ' + effectText(fault.effect) + ' · met ' + hits + (fault.count ? ' of ' + fault.count : '');
const createFault = ({ id }) => {
  const item = make('li');
  put(item, 'span');
  const button = put(item, 'button', 'Clear', 'copy');
  button.type = 'button';
  button.setAttribute('aria-label', 'Clear fault ' + id);
  button.onclick = () => void call('DELETE', '/faults/' + id);
  return item;
};
const showFaults = () => {
  const faults = [...seen.faults.values()];
  keyed(byId('faults'), faults, each => each.id, createFault, (item, each) => {
    setText(item.firstChild, faultText(each));
    setClass(item, each.fault.count && each.hits >= each.fault.count ? 'dim' : 'warn');
  });
  byId('clear-faults').disabled = faults.length === 0;
};
`;
