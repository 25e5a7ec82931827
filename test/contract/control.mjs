// Makes something happen on a node of the simulator: control.mjs URL ACTION NODE. replay.py calls it for control steps.
import { request } from 'node:https';

const [url, action, node] = process.argv.slice(2);
const body = JSON.stringify({ action, node });
const options = {
  method: 'POST',
  rejectUnauthorized: false,
  headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
};
const call = request(new URL('/_sim/node', url), options, response => {
  if (response.statusCode === 200) response.resume();
  else {
    response.pipe(process.stderr);
    process.exitCode = 1;
  }
});
call.end(body);
