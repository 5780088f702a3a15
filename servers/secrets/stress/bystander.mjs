import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Somebody who asks one small thing after another and waits for each answer, in a thread of its own, so that nothing
 * but the server makes it wait. Posts the milliseconds of each answer when it is told to stop.
 */

const { address, token } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let isStopping = false;
parentPort.once('message', () => (isStopping = true));

function ask() {
  const began = performance.now();
  const sent = request(
    `${address}/v1/auth/token/lookup-self`,
    { agent, headers: { 'X-Secrets-Token': token } },
    (response) => {
      response.resume().once('end', () => {
        times.push(response.statusCode === 200 ? performance.now() - began : NaN);
        if (!isStopping) setTimeout(ask, 1);
        else {
          agent.destroy();
          parentPort.postMessage(times);
        }
      });
    },
  );
  sent.once('error', () => parentPort.postMessage([...times, NaN]));
  sent.end();
}
ask();
