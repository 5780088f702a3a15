// Loaded into a server before its own code: what it connects to on certain ports of loopback goes to other ports, where a
// proxy can interrupt it. `STRESS_REDIRECTED_PORTS` lists them, such as `15001:40001,15002:40002`.
import { Socket } from 'node:net';

const pairs = (process.env.STRESS_REDIRECTED_PORTS ?? '')
  .split(',')
  .map((pair) => pair.split(':').map(Number));
const redirected = new Map(pairs);
const connect = Socket.prototype.connect;

Socket.prototype.connect = function connectElsewhere(...given) {
  // `net.connect` hands its arguments on as one list that it has put in order.
  const [first] = given;
  const options = Array.isArray(first) ? first[0] : first;
  const port = redirected.get(Number(options?.port));
  if (port !== undefined) options.port = port;
  return connect.apply(this, given);
};
