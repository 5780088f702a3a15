// A list with Express 5, compressed.
import { once } from 'node:events';
import compression from 'compression';
import express from 'express';
import { listEndpoint } from 'tamis/http';
import { jobs, options } from './jobs.mjs';

export async function start(port = 0) {
  const list = listEndpoint(jobs, options);
  const app = express();
  app.use(compression());
  app.all('/v1/jobs', list.node); // `all`: it responds to HEAD, OPTIONS and other methods itself

  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1/jobs`,
    close() {
      list.close(); // first: waiting requests would keep the server open
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
