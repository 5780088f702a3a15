import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A client that sends small requests one after the other and waits for each response, in a separate thread, so that only the
 * server delays it, or an overloaded machine, which its timer delays show. Posts the duration of each response, and the maximum
 * timer delay, in ms, when stopped. Posts `begun` after the first response if `isAnnounced`.
 */

const { address, token, path = 'auth/token/lookup-self', isAnnounced = false } = workerData;
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
        if (isAnnounced && times.length === 1) parentPort.postMessage('begun');
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
