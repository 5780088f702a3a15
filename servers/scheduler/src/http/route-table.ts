import type { FastifyInstance } from 'fastify';

/** A route as it was registered. A path that ends in `*` stands for all that begin like it. */
export interface Route {
  readonly method: string;
  readonly url: string;
}

const tables = new WeakMap<FastifyInstance, Route[]>();

/** Takes note of all routes that are added from now on. */
export function recordRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  tables.set(app, routes);
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of Array.isArray(method) ? method : [method]) routes.push({ method: one, url });
  });
  return routes;
}

/** The routes of a server. */
export function routesOf(app: FastifyInstance): readonly Route[] {
  return tables.get(app) ?? [];
}

/** Whether any route has this path, whatever its method. */
export function isKnownPath(routes: readonly Route[], path: string): boolean {
  return routes.some(({ url }) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path));
}
