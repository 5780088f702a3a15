import { FilterError } from '../language/diagnostics/errors.js';
import { readAccess, type AccessFilter } from '../filter/access-filter.js';
import { describe } from '../language/diagnostics/options.js';
import type { ListForm } from '../runtime/json-list.js';
import { writeJson } from '../runtime/write-json.js';
import type { ListCore } from '../lists/query/list-core.js';
import { ignoreRejection, readViewer, type Query, type ParsedQuery } from '../lists/query/request/query.js';
import { QueryError } from '../lists/query/request/query-error.js';
import { isSameValue } from '../lists/table/same-row.js';
import type { Viewer } from '../lists/table/row-matcher.js';
import type { ListRequest } from './list-handler.js';
import type { RequestHead } from './response.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { EndpointRules } from './endpoint-rules.js';
import { guarded, guardedAsync, OwnFailure } from './failure.js';
import { readRequest, type ParsedListRequest } from './read-request.js';
import { chosenFields, rowProjection } from './row-projection.js';
import { sharedWeakMap } from '../runtime/shared-identity.js';
import { eventLoop } from '../runtime/time-slicer.js';
import { createTaskQueue, type TaskQueue } from '../runtime/task-queue.js';
import type { LivePool } from '../lists/query/source/pool.js';

/** A request with its caller. */
export interface CallerRequest<T> extends ListRequest<T> {
  readonly request: ParsedListRequest;
  readonly listQuery: Query<T>;
  /** Cache key, equal for callers with equal responses; null if unknown. */
  readonly key: string | null;
  readonly form: ListForm<T>;
  readonly isSameProjection: (before: T, after: T) => boolean;
}

/** The permissions of the callers of an endpoint. */
export interface Permissions {
  /** A random value of this process if callers have permissions, which are only known while it runs; otherwise empty. */
  readonly life: string;
  /** The number of times that permissions changed. */
  version(): number;
}

/** Identifies the caller of a request and reads its query. `known` is the request if it was read before. */
export type ReadCallerRequest<T> = (
  head: RequestHead,
  signal: AbortSignal,
  known?: ParsedListRequest,
) => Promise<CallerRequest<T>>;

export function createRequestReader<T extends object, C>(
  core: ListCore<T>,
  rules: EndpointRules,
  options: EndpointOptions<T, C>,
  permissions: Permissions,
): ReadCallerRequest<T> {
  const { source, pool, raceWithAbort } = core;
  const { schema } = source;
  const { caller, cacheKey, access, visible, serialize } = options;
  const project = rowProjection<T>(schema.root);

  async function callerOf(head: RequestHead, signal: AbortSignal): Promise<C> {
    if (caller === undefined) return null as C;
    return raceWithAbort(guardedAsync(caller)(head), signal);
  }

  function formOf(
    parameters: URLSearchParams,
    fields: readonly string[] | null,
  ): Pick<CallerRequest<T>, 'form' | 'isSameProjection'> {
    const chosen = fields === null ? project : rowProjection<T>(chosenFields(schema.root, fields));
    const entry = serialize === undefined ? chosen : guarded((row: T) => serialize(row, parameters));
    return {
      form: { pretty: false, write: (row) => writeJson(entry(row)) },
      isSameProjection: (before, after) =>
        serialize === undefined && isSameValue(chosen(before), chosen(after)),
    };
  }

  async function parseRequest(
    request: ParsedListRequest,
    who: C,
    signal: AbortSignal,
  ): Promise<CallerRequest<T>> {
    const parameters = new URLSearchParams();
    for (const [name, values] of request.parameters)
      for (const value of values) parameters.append(name, value);
    const canSee = visible === undefined ? null : guarded(visible)(who, parameters);
    const rows = access === undefined ? null : guardedAccess(guarded(access)(who, parameters));
    const query: Query<T> = {
      ...request.query,
      ...(rows === null ? {} : { access: rows }),
      ...(canSee === null ? {} : { visible: guardedSight(canSee, permissions.life) }),
    };
    const key = keyOf(who, rows);
    // Filters of simultaneous requests are compiled one by one, so that other requests run in between.
    const { filter } = query;
    const isKnown = typeof filter !== 'string' || core.filters.has(filter);
    const parsedQuery = isKnown
      ? parseListQuery(request, query)
      : await taskQueueOf(pool).run(() => parseListQuery(request, query), signal);
    const { hasPositions } = request;
    const rendering = formOf(parameters, request.fields);
    return { request, listQuery: query, query: parsedQuery, key, hasPositions, ...rendering };
  }

  /** Returns a key that is equal for callers with equal responses; null if it is unknown. */
  function keyOf(who: C, rows: AccessFilter<T> | null): string | null {
    if (rows?.usesNow === true) return null;
    const own = cacheKey === undefined ? null : cacheKeyOf(cacheKey, who);
    if (rows !== null) return cacheKey === undefined || own !== null ? `${rows.key} ${own ?? ''}` : null;
    return cacheKey === undefined && caller === undefined ? String(permissions.version()) : own;
  }

  /** @throws QueryError if a filter made of parameters is invalid. */
  function parseListQuery({ byValue: [name] }: ParsedListRequest, query: Query<T>): ParsedQuery<T> {
    try {
      return core.read('listEndpoint', query);
    } catch (error) {
      if (!(error instanceof FilterError) || name === undefined) throw error;
      throw new QueryError(
        'invalid-parameter',
        name,
        `\`${name}\` is not a valid value of its field: ${error.message}`,
      );
    }
  }

  return async (head, signal, known) => {
    const who = await callerOf(head, signal);
    return parseRequest(known ?? readRequest(head.url, rules), who, signal);
  };
}

/**
 * Returns the cache key of a caller. Rejects values such as promises, which convert to the same string for all callers: callers
 * with equal keys share responses.
 */
function cacheKeyOf<C>(cacheKey: (who: C) => string, who: C): string | null {
  const key: unknown = guarded(cacheKey)(who);
  if (typeof key === 'string' || key === null) return key;
  ignoreRejection(key);
  throw new OwnFailure(new TypeError(`listEndpoint: cacheKey must return a string, got ${describe(key)}`));
}

/** Checks what `access` returns. Its mistakes are errors of the program: they must not reveal rules to clients. */
function guardedAccess<T>(access: AccessFilter<T>): AccessFilter<T> {
  ignoreRejection(access);
  return guarded(readAccess<T>)('listEndpoint', access);
}

/**
 * Wraps `visible`, so that its errors count as those of the program. The key of a viewer is prefixed, so that endpoints do not
 * share cached results.
 */
function guardedSight<T>(visible: ((row: T) => boolean) | Viewer<T>, life: string): Query<T>['visible'] {
  if (typeof visible === 'function') return guarded(visible);
  ignoreRejection(visible);
  const { key, canSee } = guarded(readViewer<T>)('listEndpoint', visible);
  return { key: `${life} ${key}`, canSee: guarded(canSee) };
}

const works = sharedWeakMap<LivePool, TaskQueue>('task queues');

/** Returns the queue for work of a pool's lists that cannot be sliced, such as compiling the filter of a request. */
function taskQueueOf(pool: LivePool): TaskQueue {
  const work = works.get(pool) ?? createTaskQueue(eventLoop, pool.limits.sliceBudget);
  works.set(pool, work);
  return work;
}
