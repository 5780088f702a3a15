import type { FastifyRequest } from 'fastify';
import type { Access } from '../../services/acl/access.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { jsonResponse } from '../kernel/response.js';
import type { HttpContext, ClusterRoute } from '../kernel/context.js';
import type { ParameterName } from '../kernel/parameters.js';
import { defineRoute } from '../kernel/pipeline.js';
import type { Right } from '../kernel/rights.js';
import type { Call, RouteFacts } from '../kernel/route.js';

/** Declaration of a write. `I` is the input, `G` the result of the right, `W` the result. */
export interface WriteDefinition<I, G, W>
  extends
    Pick<RouteFacts, 'path' | 'summary' | 'tag' | 'response'>,
    Partial<Pick<RouteFacts, 'body' | 'failures' | 'isSecret'>> {
  /** Default: `put`, which includes POST. */
  readonly method?: 'put' | 'delete';
  readonly right: Right<Access, I, G, HttpContext>;
  readonly requires?: (context: HttpContext) => void;
  /** Parameters in addition to those of every write. */
  readonly parameters?: readonly ParameterName[];
  /** Reads path, parameters and body. @throws SchedulerError, RequestError */
  readonly parse: (call: Call, context: HttpContext) => I | Promise<I>;
  readonly regionOf?: (input: I) => string;
  /** Writes on the leader. */
  readonly write: (input: I, context: HttpContext, granted: G, call: Call) => Promise<W>;
  /** Returns the index of the write and the response body; null for an empty one. */
  readonly project: (written: W) => { readonly index: number | bigint; readonly body: object | null };
}

export function writeRoute<I, G, W>({
  regionOf,
  parse,
  write,
  project,
  parameters = [],
  ...facts
}: WriteDefinition<I, G, W>): ClusterRoute {
  return defineRoute({
    method: 'put',
    ...facts,
    headers: 'write',
    forward: 'leader',
    parameters: ['region', 'pretty', ...parameters],
    open: (context: HttpContext) => ({
      parse: (call) => parse(call, context),
      ...(regionOf === undefined ? {} : { regionOf }),
      async handle(input, granted, call) {
        const { index, body } = project(await write(input, context, granted, call));
        return body === null ? { index } : { index, ...jsonResponse(call, body) };
      },
    }),
  });
}

/** Rejects a body whose ID differs from that in the path. */
export function sameId(message: string) {
  return (given: string | undefined, id: string): void => {
    if (given !== undefined && given !== '' && given !== id) throw badRequest(message);
  };
}

/** Whether a request has a body; it is optional for some writes. */
export function hasBody({ body }: Pick<FastifyRequest, 'body'>): boolean {
  return typeof body === 'string' && body.trim() !== '';
}
