const curlLine = (id: string): string =>
  `<p class="curl"><code id="${id}"></code><button type="button" class="copy" data-copy="${id}" aria-label="Copy this curl line">Copy</button></p>`;

const NODES_AND_GUESTS = `
<section aria-labelledby="nodes-title">
  <h2 id="nodes-title">Nodes</h2>
  <ul id="nodes"></ul>
</section>
<section aria-labelledby="guests-title">
  <h2 id="guests-title">Guests</h2>
  <p class="search"><label for="search">Search</label>
    <input id="search" type="search" autocomplete="off" placeholder="name, id, node, tag, state, address">
    <output id="guest-count" for="search"></output></p>
  <table><caption class="unseen">Guests</caption>
    <thead><tr><th scope="col">Guest</th><th scope="col">Node</th><th scope="col">State</th><th scope="col">Lock</th>
      <th scope="col">Tags</th><th scope="col">Agent</th><th scope="col">Addresses</th></tr></thead>
    <tbody id="guests"></tbody></table>
</section>`;

const TASKS_AND_REQUESTS = `
<section aria-labelledby="tasks-title">
  <h2 id="tasks-title">Tasks</h2>
  <p class="dim" id="task-count"></p>
  <table><caption class="unseen">Tasks that run, and the last that ended</caption>
    <thead><tr><th scope="col">Task</th><th scope="col">Node</th><th scope="col">User</th><th scope="col">Began</th>
      <th scope="col">Took</th><th scope="col">Ended</th></tr></thead>
    <tbody id="tasks"></tbody></table>
</section>
<section aria-labelledby="requests-title">
  <h2 id="requests-title">Last requests</h2>
  <p class="dim" id="request-count"></p>
  <table><caption class="unseen">The last requests, newest first</caption>
    <thead><tr><th scope="col">Request</th><th scope="col">Answer</th><th scope="col">Who</th><th scope="col">ms</th></tr></thead>
    <tbody id="requests"></tbody></table>
</section>`;

const FAULTS = `
<section aria-labelledby="faults-title">
  <h2 id="faults-title">Faults</h2>
  <ul id="faults"></ul>
  <form id="fault">
    <div class="fields">
      <label>Method <select name="method"><option value="">any</option><option>GET</option><option>POST</option><option>PUT</option><option>DELETE</option></select></label>
      <label>Times <input name="count" type="number" min="1" placeholder="always"></label>
      <label class="wide">Path; * is one part, ** the rest <input name="path" value="/nodes/*/qemu/*/config" required pattern="/.*"></label>
      <label class="wide">What happens <select name="effect">
        <option value="answer">it is answered with an error</option>
        <option value="gateway">the way to the other node is broken</option>
        <option value="reset">the connection breaks, nothing is done</option>
        <option value="lost">it is done, and the answer is lost</option>
        <option value="half">half of the answer comes</option>
        <option value="slow">it takes long</option>
        <option value="lock-timeout">the guest's lock file stays taken</option>
        <option value="token-revoked">the token is gone</option></select></label>
      <label data-for="answer">Status <input name="status" type="number" value="500" min="400" max="599"></label>
      <label data-for="answer" class="wide">Text <input name="text" value="VM is locked (backup)"></label>
      <label data-for="gateway">Status <select name="gateway"><option>595</option><option>596</option><option>599</option></select></label>
      <label data-for="slow">ms <input name="ms" type="number" value="5000" min="0"></label>
    </div>
    <button>Set this fault</button>
    ${curlLine('fault-curl')}
  </form>
  <p><button type="button" id="clear-faults">Clear all faults</button></p>
</section>`;

const CLOCK_AND_NETWORK = `
<section aria-labelledby="clock-title">
  <h2 id="clock-title">Clock</h2>
  <p id="clock-state" class="dim"></p>
  <p><button type="button" id="hold">Hold the clock</button></p>
  ${curlLine('hold-curl')}
  <form id="advance">
    <div class="fields"><label>Move a held clock on by ms <input name="ms" type="number" value="5000" min="1" required></label></div>
    <button>Advance</button>
    ${curlLine('advance-curl')}
  </form>
</section>
<section aria-labelledby="network-title">
  <h2 id="network-title">Network</h2>
  <form id="network">
    <div class="fields">
      <label>/cluster/resources is behind by ms <input name="lagMs" type="number" value="0" min="0" required></label>
      <label>Each request takes at least ms <input name="latencyMs" type="number" value="0" min="0" required></label>
    </div>
    <button>Set</button>
    ${curlLine('network-curl')}
  </form>
</section>`;

const PERMISSIONS_AND_CALLS = `
<section aria-labelledby="permissions-title">
  <h2 id="permissions-title">Least role</h2>
  <p class="dim">What the calls so far had to be allowed to do, as lines of pveum.</p>
  <p><button type="button" id="ask-permissions">Show it for the calls so far</button>
    <button type="button" id="forget-permissions">Begin anew</button></p>
  ${curlLine('permissions-curl')}
  <div id="permissions-shown" hidden>
    <pre id="permissions" tabindex="0" role="region" aria-label="Lines of pveum"></pre>
    <p><button type="button" class="copy" data-copy="permissions">Copy the lines</button></p>
  </div>
</section>
<section aria-labelledby="calls-title">
  <h2 id="calls-title">What this page did</h2>
  <p class="dim">Each as a line that does the same in a shell.</p>
  <ul id="calls"></ul>
</section>`;

/** The page at /_sim/. What it shows comes by /_sim/events. */
export const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated Proxmox cluster</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_sim/page.css">
<script src="/_sim/page.js" defer></script>
</head>
<body>
<header>
  <h1>Simulated Proxmox cluster</h1>
  <p id="about">Reading …</p>
  <p id="link" role="status"></p>
</header>
<main>
<div class="watch">${NODES_AND_GUESTS}${TASKS_AND_REQUESTS}</div>
<div class="act">${FAULTS}${CLOCK_AND_NETWORK}${PERMISSIONS_AND_CALLS}</div>
</main>
<footer><p id="result" role="status"></p></footer>
</body>
</html>
`;
