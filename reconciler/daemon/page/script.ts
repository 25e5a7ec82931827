/** The script of the page: asks how all stands, and shows it as text. Nothing that Proxmox says becomes markup. */
export const SCRIPT = `
const put = (parent, tag, text, name) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  parent.append(made);
  return made;
};
const timeText = at => new Date(at).toLocaleString();
const machineRow = (list, m) => {
  const row = put(list, 'li');
  put(row, 'b', m.machine);
  put(row, 'span', m.phase, m.phase);
  const about = [m.vmid && 'VM ' + m.vmid, (m.ipAddresses || []).join(', '), m.mode, m.doing].filter(Boolean);
  put(row, 'span', ' ' + about.join(' · '));
  if (m.restartRequired) put(row, 'small', 'waits for a restart: ' + m.pendingChanges.map(c => c.field).join(', '), 'warn');
  if (m.drift) put(row, 'small', 'differed at ' + timeText(m.drift.at) + ': ' + m.drift.changes.join('; '));
  for (const note of m.notes || []) put(row, 'small', note, 'warn');
  if (m.error) put(row, 'small', m.error, 'bad');
};
const nodeBox = (parent, title, about, machines, orphans) => {
  const box = put(parent, 'section');
  put(box, 'h2', title);
  put(box, 'p', about);
  const list = put(box, 'ul');
  for (const m of machines) machineRow(list, m);
  for (const o of orphans) put(list, 'li', 'orphan: ' + o.machine + ' · VM ' + o.vmid, 'warn');
};
const gib = bytes => (bytes / 2 ** 30).toFixed(1) + ' GiB';
const nodeText = ({ online, ready, resources: r, vmCount }) =>
  (online ? (ready ? 'online' : 'in maintenance') : 'offline') + ' · ' + vmCount + (vmCount === 1 ? ' VM' : ' VMs') +
  (r ? ' · memory ' + gib(r.memory.used || 0) + ' of ' + gib(r.memory.total) : '');
const show = told => {
  const nodes = document.createElement('div');
  for (const cluster of told.clusters) {
    const own = told.machines.filter(m => m.cluster === cluster.name);
    for (const node of cluster.nodes || [])
      nodeBox(nodes, cluster.name + ' / ' + node.name, nodeText(node),
        own.filter(m => m.node === node.name), cluster.orphans.filter(o => o.node === node.name));
    const names = (cluster.nodes || []).map(n => n.name);
    const rest = own.filter(m => !names.includes(m.node));
    if (rest.length) nodeBox(nodes, cluster.name, 'on no node', rest, []);
  }
  document.getElementById('nodes').replaceChildren(...nodes.childNodes);
  const others = told.clusters.filter(c => c.keptBy).map(c => c.name + ': ' + c.keptBy + ' keeps it, since ' + timeText(c.since));
  const lost = told.clusters.filter(c => c.reason).map(c => c.name + ': ' + c.reason);
  const faults = told.fault ? ['the desired state is wrong, the last good one is kept: ' + told.fault] : [];
  const head = document.getElementById('told');
  head.textContent = [told.machines.length + (told.machines.length === 1 ? ' machine, ' : ' machines, ') + timeText(told.time), ...others, ...lost, ...faults].join('\\n');
  head.className = lost.length + faults.length ? 'bad' : '';
};
const look = async () => {
  try {
    show(await (await fetch('/machines')).json());
  } catch (error) {
    const head = document.getElementById('told');
    head.textContent = 'The daemon does not answer.';
    head.className = 'bad';
  }
  setTimeout(look, 5000);
};
look();
`;
