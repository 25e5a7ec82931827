import { SCRIPT } from './script';
import { STYLE } from './style';

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
