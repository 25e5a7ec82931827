/** How the page looks: one column on a telephone, two where there is room; light and dark as the person prefers. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #fff; --ink: #1b1f24; --dim: #56606b; --line: #d5dae0; --field: #fff;
  --good: #1a6e34; --bad: #b3261e; --warn: #8a5300; --mark: #1558b0; --wash: #fff3d6; --fresh: #d7e8ff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1d2127; --ink: #e6e9ed; --dim: #a3adb8; --line: #363d46; --field: #14171b;
    --good: #6fd08c; --bad: #ff9a91; --warn: #f0bd6a; --mark: #8fbcff; --wash: #3a2f16; --fresh: #1f3a5c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; padding: 16px; max-width: 1500px; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 8px; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
header p { margin: 2px 0; }
header { margin-bottom: 12px; }
#about, .dim { color: var(--dim); }
#link.bad, .bad { color: var(--bad); }
.good { color: var(--good); }
.warn { color: var(--warn); }
main { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
.watch, .act { display: grid; gap: 14px; align-content: start; grid-template-columns: minmax(0, 1fr); min-width: 0; }
@media (min-width: 62rem) { main { grid-template-columns: minmax(0, 1fr) 23rem; } }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; min-width: 0; }
ul { list-style: none; margin: 0; padding: 0; }
#nodes { display: grid; gap: 10px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
#nodes > li { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: 8px 10px; min-width: 0; }
#nodes > li.up { border-left-color: var(--good); }
#nodes > li.down { border-left-color: var(--bad); }
#nodes > li.half { border-left-color: var(--warn); }
.head { display: flex; justify-content: space-between; gap: 8px; overflow-wrap: anywhere; }
.load { color: var(--dim); font-size: .86em; }
meter { width: 100%; height: 9px; display: block; margin: 3px 0 7px; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
button, input, select { font: inherit; color: inherit; border: 1px solid var(--dim); border-radius: 5px; padding: 4px 10px; background: var(--field); min-height: 30px; max-width: 100%; }
button { cursor: pointer; }
button:hover { border-color: var(--mark); color: var(--mark); }
button:disabled { cursor: default; opacity: .55; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
form > button { border-color: var(--mark); color: var(--mark); font-weight: 600; }
.copy { padding: 0 8px; min-height: 26px; font-size: .86em; }
.search { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.search input { flex: 1 1 12rem; min-width: 0; }
#guest-count { color: var(--dim); flex-basis: 100%; }
.fields { display: grid; gap: 8px; grid-template-columns: 1fr 1fr; margin-bottom: 8px; }
.fields label { display: grid; gap: 2px; color: var(--dim); font-size: .9em; align-content: end; min-width: 0; }
.fields input, .fields select { color: var(--ink); font-size: 14px; width: 100%; min-width: 0; }
.fields .wide { grid-column: 1 / -1; }
form + form, p + form { margin-top: 10px; }
.curl { display: flex; gap: 6px; align-items: start; margin-top: 8px; }
.curl code { flex: 1; min-width: 0; color: var(--dim); }
code, pre { font: 12px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; margin: 0; }
pre { background: var(--back); border: 1px solid var(--line); border-radius: 5px; padding: 8px; max-height: 22rem; overflow: auto; }
#faults > li, #calls > li { border-top: 1px solid var(--line); padding: 6px 0; }
#faults > li { display: flex; gap: 8px; justify-content: space-between; align-items: start; }
#faults > li span { min-width: 0; overflow-wrap: anywhere; }
#faults:not(:empty) { margin-bottom: 10px; }
footer { position: sticky; bottom: 0; margin-top: 14px; }
#result:not(:empty) { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; margin: 0 0 8px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--dim); font-weight: 500; font-size: .9em; overflow-wrap: normal; white-space: nowrap; }
td b { font-weight: 600; }
tr.locked td { background: var(--wash); }
tr.none td { color: var(--dim); }
.task { border: 0; padding: 0; min-height: 0; background: none; color: var(--mark); text-align: left; text-decoration: underline; overflow-wrap: anywhere; }
.number { font-variant-numeric: tabular-nums; }
@media (min-width: 44.01rem) {
  .short { white-space: nowrap; overflow-wrap: normal; }
  td.name { min-width: 5.5rem; }
  td.address { min-width: 8rem; }
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.fresh { animation: fresh 1.6s; }
@keyframes fresh { from { background: var(--fresh); } }
@media (prefers-reduced-motion: reduce) { .fresh { animation: none; } }
@media (max-width: 44rem) {
  body { padding: 10px; }
  thead { display: none; }
  table, tbody, tr { display: block; }
  tr { padding: 6px 0; border-bottom: 1px solid var(--line); }
  tr.locked { background: var(--wash); }
  td { display: inline; border: 0; padding: 0 10px 0 0; }
  td:first-child { display: block; }
  td:empty { display: none; }
  td[data-name]:not(:first-child)::before { content: attr(data-name) " "; color: var(--dim); font-size: .86em; }
  tr.log td { display: block; padding: 4px 0 0; }
}
`;
