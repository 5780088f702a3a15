import type { Endpoint } from './endpoint.js';

/** The part of a Fastify application that is used. */
export interface FastifyApp {
  all(path: string, handler: Endpoint['fastify']): unknown;
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
}

/**
 * Returns a Fastify plugin that serves lists at their paths and closes them with the application.
 *
 * ```ts
 * await app.register(listPlugin, { '/v1/jobs': listEndpoint(jobs), '/v1/nodes': listEndpoint(nodes) });
 * ```
 */
export async function listPlugin(app: FastifyApp, lists: Readonly<Record<string, Endpoint>>): Promise<void> {
  // Fastify adds options of its own, such as `prefix`.
  const paths = Object.entries(lists).filter(([path]) => path.startsWith('/'));
  for (const [path, endpoint] of paths) app.all(path, endpoint.fastify);
  app.addHook('onClose', async () => {
    for (const [, endpoint] of paths) endpoint.close();
    await Promise.resolve();
  });
  await Promise.resolve();
}
