// A list with Fastify, compressed. The plugin closes the list with the app.
import compress from '@fastify/compress';
import fastify from 'fastify';
import { listEndpoint, listPlugin } from 'tamis/http';
import { jobs, options } from './jobs.mjs';

export async function start(port = 0) {
  const app = fastify({ forceCloseConnections: true }); // `close` does not wait for clients that keep connections
  await app.register(compress); // before the list: it adds its hook to the routes that follow
  app.addHook('onSend', async (request, reply) => {
    reply.header('X-Request-ID', request.id); // hooks see the responses of lists, too
  });
  await app.register(listPlugin, { '/v1/jobs': listEndpoint(jobs, options) });

  const address = await app.listen({ port, host: '127.0.0.1' });
  return { url: `${address}/v1/jobs`, close: () => app.close() };
}
