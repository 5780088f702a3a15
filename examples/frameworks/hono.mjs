// A list with Hono. On Deno, Bun and workers, export the app instead of calling `serve`.
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { listEndpoint } from 'tamis/http';
import { jobs, options } from './jobs.mjs';

export async function start(port = 0) {
  const list = listEndpoint(jobs, options);
  const app = new Hono();
  app.all('/v1/jobs', (context) => list.fetch(context.req.raw));

  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1/jobs`,
    close() {
      list.close();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
