import { idOfPath } from './request.js';
import type { RouteFacts } from './route.js';
import { unbuiltRoute } from './unsupported-routes.js';

/** Finds the route of a request by method and the path from `decodedPathOf`. */
export interface Router<R> {
  find(method: string, path: string): Found<R>;
}

/** `wrong-method`: the path exists, but not with this method. */
export type Found<R> = { readonly route: R; readonly id: string } | 'wrong-method' | 'missing';

/** All routes of one path, by method. */
interface PathRoutes<R> {
  readonly prefix: string;
  readonly suffix: string;
  readonly methods: Map<string, R>;
}

const methodsOf = { get: ['GET'], put: ['PUT', 'POST'], delete: ['DELETE'], any: ['*'] } as const;

/**
 * Creates a router. Of several matching paths with an ID, the one with the most words wins: `/v1/job/{id}/summary` before
 * `/v1/job/{id}`.
 */
export function createRouter<R extends Pick<RouteFacts, 'method' | 'path'>>(routes: readonly R[]): Router<R> {
  const exact = new Map<string, PathRoutes<R>>();
  const open = new Map<string, PathRoutes<R>>();
  for (const route of routes) {
    const [prefix = '', suffix] = route.path.split(/\{\w+\}/);
    const paths = suffix === undefined ? exact : open;
    const known = paths.get(route.path) ?? { prefix, suffix: suffix ?? '', methods: new Map<string, R>() };
    paths.set(route.path, known);
    for (const method of methodsOf[route.method]) known.methods.set(method, route);
  }
  const wordsOf = ({ prefix, suffix }: PathRoutes<R>): number => prefix.length + suffix.length;
  const ordered = [...open.values()].sort((a, b) => wordsOf(b) - wordsOf(a));

  return {
    find(method, path) {
      const fits = ({ prefix, suffix }: PathRoutes<R>): boolean =>
        path.length >= prefix.length + suffix.length && path.startsWith(prefix) && path.endsWith(suffix);
      const found = exact.get(path) ?? ordered.find(fits);
      if (found === undefined) return 'missing';
      const { prefix, suffix, methods } = found;
      // The apparent ID may belong to a route that is not implemented.
      if (suffix === '' && path !== prefix && unbuiltRoute(path) !== null) return 'missing';
      const route = methods.get(method) ?? methods.get('*');
      if (route === undefined) return 'wrong-method';
      return { route, id: idOfPath(path.slice(prefix.length, path.length - suffix.length)) };
    },
  };
}
