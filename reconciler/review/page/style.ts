/** The look of the page: one column on a telephone, cards beside each other on a desk; light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d5dae0;
  --bad: #a4161a; --bad-back: #fdeaea; --warn: #7a4a00; --warn-back: #fff3d6; --good: #0b5d2e; --good-back: #e2f5e9;
  --calm: #0a4a8f; --calm-back: #e4effc; --dim: #4b535c; --dim-back: #eceff2; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1216; --card: #181c22; --ink: #e8ebef; --soft: #a3adb8;
  --line: #343b44; --bad: #ffb3ae; --bad-back: #4b1517; --warn: #ffd58a; --warn-back: #443008; --good: #9fe3b8;
  --good-back: #0f3a22; --calm: #a9d0ff; --calm-back: #12325a; --dim: #bcc4cd; --dim-back: #2a3038; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
h4 { font-size: .85rem; margin: 0 0 .25rem; color: var(--soft); font-weight: 600; }
p, ul { margin: .4rem 0; }
h1, p { overflow-wrap: anywhere; }
a { color: inherit; text-underline-offset: .15em; }
code, td { overflow-wrap: anywhere; }
.totals, .lane ul, .warnings { list-style: none; padding: 0; margin: 0; }
.totals { display: flex; flex-wrap: wrap; gap: .5rem; }
.totals strong { font-size: 1.1em; }
.badge { display: inline-block; padding: .1rem .55rem; border-radius: 1rem; font-size: .85rem; font-weight: 600;
  white-space: nowrap; color: var(--dim); background: var(--dim-back); }
.destroy, .rebuild, .refused, .restart, .stop { color: var(--bad); background: var(--bad-back); }
.unreached, .forget, .waits, .observed, .unknown, .unread, .unplanned { color: var(--warn); background: var(--warn-back); }
.create, .adopt, .wanted { color: var(--good); background: var(--good-back); }
.lost { color: var(--bad); }
.card.heavy { border: 2px solid var(--bad); border-left-width: .6rem; background: var(--bad-back); }
.heavy h3 { font-size: 1.25rem; }
.heavy .badge, .heavy .badge + .soft { font-size: 1rem; }
.heavy .badge { color: var(--bad-back); background: var(--bad); }
.card.heavy .soft, .heavy td::before, .heavy thead th { color: var(--ink); }
main > .lost { font-size: 1.3rem; }
[hidden] { display: none !important; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin-top: 1.5rem; }
.filter label { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; max-width: 100%; }
.filter input, .filter select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: .4rem; padding: .3rem .5rem; min-width: 0; max-width: 100%; }
.filter input { width: 17rem; }
.change { color: var(--calm); background: var(--calm-back); }
.warnings li { padding: .6rem .8rem; margin-bottom: .5rem; border-left: .3rem solid var(--warn);
  background: var(--warn-back); color: var(--ink); overflow-wrap: anywhere; }
.nodes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; }
article.card { margin-bottom: 1rem; }
.card .soft, .soft { color: var(--soft); }
.lanes { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .75rem; margin-top: .5rem; }
.lane li { padding: .15rem 0; overflow-wrap: anywhere; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .6rem; }
.card ul.notes { padding-left: 1.2rem; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin-top: .6rem; font-size: .92rem; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-top: 1px solid var(--line); }
thead th { color: var(--soft); border-top: 0; }
.changed th:last-child, .changed td:last-child { width: 9rem; }
.new th:first-child { width: 14rem; }
tbody th { font-weight: 600; overflow-wrap: anywhere; }
details summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--calm); outline-offset: 2px; }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  table, tbody, tr, tbody th, td { display: block; width: auto; }
  tr { border-top: 1px solid var(--line); padding: .4rem 0; }
  .changed td:last-child, .new th:first-child { width: auto; }
  tbody th, td { border: 0; padding: .05rem 0; }
  td:empty { display: none; }
  td::before { content: attr(data-label) ': '; color: var(--soft); }
}
@media print { body { background: #fff; } .card { break-inside: avoid; } }
`;
