/** The script's second part: what is shown, and how it follows what happens. */
export const WATCH = String.raw`
const MOST_GUESTS = 100;
const MOST_REQUESTS = 50;
const seen = { nodes: new Map(), guests: new Map(), tasks: new Map(), faults: new Map() };
const keys = { nodes: 'name', guests: 'vmid', tasks: 'upid', faults: 'id' };
let requests = [];
let about = {};
let clock = { at: 0, now: 0 };
const simulatedNow = () => clock.now + (performance.now() - clock.at) * (about.scale || 0);

const take = message => {
  for (const [name, change] of Object.entries(message)) {
    const rows = seen[name];
    if (!rows) continue;
    if (change.all) rows.clear();
    for (const key of change.gone) rows.delete(key);
    for (const row of change.rows) rows.set(row[keys[name]], row);
  }
  if (message.requests) {
    const { all, rows } = message.requests;
    requests = [...(all ? [] : requests), ...rows].slice(-MOST_REQUESTS);
  }
  about = message.about;
  clock = { at: performance.now(), now: message.now };
};

const nodeClass = state => ({ up: 'up', down: 'down' })[state] || 'half';
const createNode = node => {
  const item = make('li');
  const head = put(item, 'p', undefined, 'head');
  put(head, 'b', node.name);
  put(head, 'span');
  put(item, 'p', undefined, 'load');
  put(item, 'meter').setAttribute('aria-label', 'memory of ' + node.name + ' that its running guests have');
  const buttons = put(item, 'div', undefined, 'buttons');
  put(buttons, 'button').type = 'button';
  put(buttons, 'button').type = 'button';
  return item;
};
const fillNode = (item, node) => {
  const [head, load, meter, buttons] = item.children;
  setClass(item, nodeClass(node.state));
  setText(head.lastChild, node.state);
  const { guests, running, cores, memory } = node.load;
  setText(load, running + ' of ' + plural(guests, 'guest') + ' run · ' + cores + ' of ' + plural(node.cpus, 'core') +
    ' · ' + gib(memory) + ' of ' + gib(node.memory) + ' GiB');
  Object.assign(meter, { max: node.memory, value: memory });
  const isOn = node.state !== 'down';
  const [api, power] = buttons.children;
  nodeButton(api, node.name, node.state === 'API down' ? 'api-up' : 'api-down', node.state === 'API down' ? 'Start its API' : 'Stop its API');
  api.disabled = !isOn;
  nodeButton(power, node.name, isOn ? 'node-down' : 'node-up', isOn ? 'Power off' : 'Power on');
};
const nodeButton = (button, node, action, text) => {
  setText(button, text);
  button.setAttribute('aria-label', text + ': ' + node);
  button.onclick = () => void call('POST', '/node', { action, node });
};

const GUEST_COLUMNS = [['', ''], ['on', 'name'], ['', 'short'], ['lock', 'name'], ['tags', ''], ['agent', 'short'], ['', 'address']];
const TASK_COLUMNS = [['', 'name'], ['on', 'name'], ['by', 'address'], ['began', 'short number'], ['took', 'short number'], ['', '']];
const REQUEST_COLUMNS = [['', ''], ['', ''], ['by', ''], ['ms', 'short number']];
const guestText = guest => Object.values(guest).flat().join(' ').toLowerCase();
const showGuests = () => {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [...seen.guests.values()].sort((a, b) => a.vmid - b.vmid);
  const found = words.length === 0 ? all : all.filter(guest => { const text = guestText(guest); return words.every(word => text.includes(word)); });
  const shown = found.slice(0, MOST_GUESTS);
  keyed(byId('guests'), shown, guest => guest.vmid, rowOf(GUEST_COLUMNS), (row, guest) => {
    setClass(row, guest.lock ? 'locked' : '');
    const [first, , state] = row.children;
    const title = guest.vmid + (guest.type === 'lxc' ? ' (container)' : '');
    if (first.dataset.said !== title + guest.name) {
      first.replaceChildren(make('b', guest.name || '(no name)'), ' ' + title);
      first.dataset.said = title + guest.name;
    }
    setClass(state, 'short ' + (guest.state === 'running' ? 'good' : guest.state === 'stopped' ? '' : 'warn'));
    [guest.node, guest.state, guest.lock || '', (guest.tags || '').split(/[;, ]+/).join(' '), guest.agent || '', (guest.addresses || []).join(' ')]
      .forEach((text, at) => setText(row.children[at + 1], text));
  });
  const more = found.length > shown.length ? ': the first ' + shown.length + ' are shown, search for the others' : '';
  setText(byId('guest-count'), (words.length === 0 ? plural(all.length, 'guest') : found.length.toLocaleString('en') + ' of ' + plural(all.length, 'guest')) + more);
};

const open = new Map();
const tookText = task => lasting(Math.max(0, (task.endtime ?? Math.floor(simulatedNow() / 1000)) - task.starttime));
const readLog = async task => {
  const { lines, left, error } = await (await fetch('/_sim/tasks/log?upid=' + encodeURIComponent(task.upid))).json();
  const entry = open.get(task.upid);
  if (!entry) return;
  entry.text = error || (left > 0 ? left + ' lines before these are not shown\n' : '') + lines.join('\n') || 'no line yet';
  showTasks();
};
const toggleLog = task => {
  if (open.has(task.upid)) open.delete(task.upid);
  else open.set(task.upid, { text: 'Reading …', lines: -1 });
  showTasks();
};
const createTask = task => {
  const row = rowOf(TASK_COLUMNS)();
  const button = put(row.firstChild, 'button', task.type + ' ' + task.id, 'task');
  button.type = 'button';
  button.onclick = () => toggleLog(task);
  return row;
};
const createLog = () => {
  const row = make('tr', undefined, 'log');
  const cell = put(row, 'td');
  cell.colSpan = 6;
  const text = put(cell, 'pre');
  text.tabIndex = 0;
  text.setAttribute('role', 'region');
  return row;
};
const fillTask = (row, { task, log }) => {
  if (log) {
    const text = row.querySelector('pre');
    text.setAttribute('aria-label', 'Log of ' + task.type + ' ' + task.id);
    setText(text, log.text);
    return;
  }
  row.querySelector('button').setAttribute('aria-expanded', String(open.has(task.upid)));
  const ended = task.exitstatus ?? 'running';
  const ok = ended === 'OK' ? 'good' : ended === 'running' || /^WARNINGS/.test(ended) ? 'warn' : 'bad';
  [task.node, task.user, clockText(task.starttime * 1000), tookText(task), ended].forEach((text, at) => setText(row.children[at + 1], text));
  setClass(row.lastChild, ok);
};
const showTasks = () => {
  const sorted = [...seen.tasks.values()].sort((a, b) => (b.endtime ?? Infinity) - (a.endtime ?? Infinity) || b.starttime - a.starttime);
  for (const upid of open.keys()) if (!seen.tasks.has(upid)) open.delete(upid);
  const rows = sorted.flatMap(task => {
    const log = open.get(task.upid);
    if (log && log.lines !== task.lines) {
      log.lines = task.lines;
      void readLog(task);
    }
    return log ? [{ task }, { task, log }] : [{ task }];
  });
  keyed(byId('tasks'), rows, ({ task, log }) => (log ? 'log ' : '') + task.upid, ({ task, log }) => log ? createLog() : createTask(task), fillTask);
  const running = sorted.filter(task => task.endtime === undefined).length;
  setText(byId('task-count'), (about.running ? about.running + ' running' : 'None is running') +
    (about.running > running ? ' (the last ' + running + ' are shown)' : '') +
    (sorted.length > running ? ', and the last ' + (sorted.length - running) + ' that ended. Press one for its log.' : '.'));
};

const showRequests = () => {
  keyed(byId('requests'), [...requests].reverse(), each => each.n, rowOf(REQUEST_COLUMNS), (row, each) => {
    if (row.dataset.done) return;
    row.dataset.done = '1';
    row.children[0].append(make('b', each.method), ' ' + each.path);
    const faults = each.faults ? ' · fault ' + each.faults.join(', ') : '';
    setText(row.children[1], (each.status || '') + ' ' + (each.status === 200 ? '' : each.reason) + faults);
    setClass(row.children[1], each.status === 0 || each.status >= 400 ? 'bad' : '');
    setText(row.children[2], each.user || 'nobody');
    setText(row.children[3], String(each.ms));
  });
  setText(byId('request-count'), plural(about.requests, 'request') + ' so far, ' + plural(about.failures, 'failure') +
    (about.requests > requests.length ? '; the last ' + requests.length + ' are shown.' : '.'));
};
`;
