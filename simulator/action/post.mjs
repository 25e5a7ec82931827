// The job ends, and the cluster with it.
import { request } from 'node:https';

const { STATE_pid: pid, STATE_url: url } = process.env;

/** Whether the cluster still answers: else its number may be another process by now. @param {string} place */
const isThere = place =>
  new Promise(resolve => {
    const options = { rejectUnauthorized: false, agent: false, timeout: 5000 };
    const asked = request(`${place}/_sim/health`, options, answer => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });

if (pid && url && (await isThere(url))) process.kill(Number(pid), 'SIGTERM');
