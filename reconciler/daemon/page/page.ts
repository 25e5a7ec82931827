import { SCRIPT } from './script';

/** How the page of the fleet looks: one column on a telephone, as many as fit elsewhere. */
const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #c22; --warn: #a60; --good: #283; }
* { box-sizing: border-box; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 0 auto; padding: 12px; max-width: 1280px; }
h1 { font-size: 1.2rem; margin: 0 0 8px; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
#nodes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 12px; }
section { border: 1px solid var(--line); border-radius: 6px; padding: 10px; min-width: 0; }
section > p { margin: 2px 0 8px; opacity: .75; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: 4px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li b { margin-right: 6px; }
small { display: block; white-space: pre-wrap; }
.Running { color: var(--good); } .Error, .bad { color: var(--bad); } .Creating, .warn { color: var(--warn); }
#told { margin: 0 0 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** The page of the fleet. It is the same for everybody: what it shows it asks for. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pve-reconciler</title>
<style>${STYLE}</style>
</head>
<body>
<h1>pve-reconciler</h1>
<p id="told">Reading …</p>
<div id="nodes"></div>
<script>${SCRIPT}</script>
</body>
</html>
`;
