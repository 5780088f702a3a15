// Stops the process when it is about to listen.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  process.kill(process.pid, 'SIGTERM');
  return listen.apply(this, given);
};
