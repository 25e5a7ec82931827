/** The script's last part: the connection, and when to show anew. */
export const FOLLOW = String.raw`
const speedText = () => about.scale === 0 ? 'is held' : about.scale === 1 ? 'runs' : 'runs ' + about.scale + ' times as fast';
const showAbout = () => {
  setText(byId('about'), [about.cluster || 'a single node', 'Proxmox VE ' + about.release, about.quorate ? 'quorate' : 'no quorum',
    new Date(simulatedNow()).toISOString().slice(0, 19).replace('T', ' ') + ' UTC, the clock ' + speedText()].join(' · ') +
    (about.defects > 0 ? ' · ' + plural(about.defects, 'defect') + ' of the simulator: see /_sim/ledger/counts' : ''));
  setClass(byId('about'), about.quorate && about.defects === 0 ? '' : 'bad');
  setText(byId('clock-state'), 'The clock ' + speedText() + '.');
  setText(byId('hold'), about.scale === 0 ? 'Let it run' : 'Hold the clock');
  byId('advance').querySelector('button').disabled = about.scale !== 0;
  const network = byId('network');
  if (!network.dataset.touched) Object.assign(network.lagMs, { value: about.lagMs });
  if (!network.dataset.touched) Object.assign(network.latencyMs, { value: about.latencyMs });
};
const show = () => {
  planned = false;
  keyed(byId('nodes'), [...seen.nodes.values()], node => node.name, createNode, fillNode);
  showGuests();
  showTasks();
  showRequests();
  showFaults();
  showAbout();
  showLines();
  painted = true;
};
let planned = false;
const plan = () => {
  if (planned) return;
  planned = true;
  requestAnimationFrame(show);
};
const link = (text, name) => {
  setText(byId('link'), text);
  setClass(byId('link'), name);
};
const follow = () => {
  const events = new EventSource('/_sim/events');
  events.onmessage = ({ data }) => {
    link('Live', 'good');
    take(JSON.parse(data));
    plan();
  };
  events.onerror = () => {
    link('The simulator does not answer: what you see is old. Trying again …', 'bad');
    // a refusal, as of too many pages, ends it for good
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  };
};
byId('search').addEventListener('input', showGuests);
setInterval(() => {
  if (!painted || about.scale === 0) return;
  showAbout();
  if (about.running > 0) showTasks();
}, 1000);
follow();
`;
