import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Somebody who asks one small thing after another and waits for each answer, in a thread of its own, so that nothing
 * but the server makes it wait: and a machine that has too much to do, which the lateness of its own timers tells. Posts
 * the milliseconds of each answer, and of the latest timer, when it is told to stop.
 */

const { address, token, path = 'auth/token/lookup-self' } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let latest = 0;
let isStopping = false;
parentPort.once('message', () => (isStopping = true));

function pause() {
  const began = performance.now();
  setTimeout(() => {
    latest = Math.max(latest, performance.now() - began - 1);
    send();
  }, 1);
}

function send() {
  const began = performance.now();
  const sent = request(
    `${address}/v1/${path}`,
    { agent, headers: { 'X-Secrets-Token': token } },
    (response) => {
      response.resume().once('end', () => {
        times.push(response.statusCode === 200 ? performance.now() - began : NaN);
        if (!isStopping) pause();
        else {
          agent.destroy();
          parentPort.postMessage({ times, latest });
        }
      });
    },
  );
  sent.once('error', () => parentPort.postMessage({ times: [...times, NaN], latest }));
  sent.end();
}
send();
