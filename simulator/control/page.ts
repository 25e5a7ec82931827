/** The page at /_sim/: nodes, guests and tasks as they are now. Needs nothing from anywhere else. */
export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated Proxmox cluster</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
  body { margin: 1.5rem; max-width: 75rem; }
  h1 { font-size: 1.25rem; margin: 0; }
  #about { opacity: .7; margin: .2rem 0 1.2rem; }
  #nodes { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
  .node { border: 1px solid #8886; border-radius: 8px; padding: .7rem; }
  .node h2 { font-size: 1rem; margin: 0 0 .5rem; display: flex; justify-content: space-between; }
  .guest { display: flex; gap: .5rem; padding: .15rem .4rem; border-radius: 4px; }
  .guest b { flex: 1; font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .guest::before { content: "○"; } .guest.running::before { content: "●"; color: #2a9d4a; }
  .guest.template::before { content: "◇"; } .guest.locked { background: #e8a90033; }
  .fresh { animation: fresh 2s; } @keyframes fresh { from { background: #4a90e2aa; } }
  .down { opacity: .5; } .small { opacity: .6; font-size: .85em; }
  table { border-collapse: collapse; margin-top: 1.2rem; width: 100%; }
  td, th { text-align: left; vertical-align: top; padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #8883; }
  td { overflow-wrap: anywhere; }
  @media (max-width: 40rem) {
    body { margin: .8rem; }
    thead { display: none; }
    tr { display: block; padding: .3rem 0; border-bottom: 1px solid #8883; }
    td { display: inline; border: 0; padding: 0 .4rem 0 0; }
    td:first-child { font-weight: 500; }
  }
</style>
<h1>Simulated Proxmox cluster</h1>
<p id="about">…</p>
<div id="nodes"></div>
<table><thead><tr><th>Task</th><th>Node</th><th>User</th><th>State</th></tr></thead><tbody id="tasks"></tbody></table>
<script>
  const before = new Map();
  const text = value => { const span = document.createElement('span'); span.textContent = value; return span.innerHTML; };
  const guest = g => {
    const key = [g.node, g.status, g.lock, g.name].join();
    const fresh = before.size > 0 && before.get(g.vmid) !== key;
    before.set(g.vmid, key);
    const kind = [g.template ? 'template' : g.status, g.lock && 'locked', fresh && 'fresh'].filter(Boolean).join(' ');
    return '<div class="guest ' + kind + '"><b>' + text(g.name) + '</b><span class="small">'
      + text([g.lock, g.type === 'lxc' && 'CT', g.vmid].filter(Boolean).join(' ')) + '</span></div>';
  };
  async function show() {
    try {
      const s = await (await fetch('/_sim/state')).json();
      document.getElementById('about').textContent = s.guests.length + ' guests, ' + s.requests.requests
        + ' requests, ' + (s.quorate ? 'quorate' : 'no quorum') + ', ' + new Date(s.now).toISOString();
      document.getElementById('nodes').innerHTML = s.nodes.map(n => {
        const own = s.guests.filter(g => g.node === n.name);
        return '<section class="node ' + (n.state === 'online' ? '' : 'down') + '"><h2>' + text(n.name)
          + '<span class="small">' + text(n.state) + ', ' + own.length + '</span></h2>'
          + own.slice(0, 60).map(guest).join('') + (own.length > 60 ? '<p class="small">and more</p>' : '') + '</section>';
      }).join('');
      document.getElementById('tasks').innerHTML = s.tasks.map(t => '<tr>'
        + [t.type + ' ' + t.id, t.node, t.user, t.exitstatus || 'running'].map(v => '<td>' + text(v) + '</td>').join('')
        + '</tr>').join('');
    } catch (error) { document.getElementById('about').textContent = 'The simulator does not answer.'; }
    setTimeout(show, 1000);
  }
  void show();
</script>
</html>
`;
