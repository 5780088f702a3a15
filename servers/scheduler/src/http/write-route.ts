import type { FastifyRequest } from 'fastify';
import type { Access } from '../acl/access.js';
import { jsonResponse } from './response.js';
import type { HttpContext } from './context.js';
import type { ParameterName } from './openapi/parameters.js';
import { defineRoute } from './pipeline.js';
import type { Right } from './access/rights.js';
import type { AnswerBody, Call, Route, RouteFacts } from './route.js';

/** A write, declared. `I` is what is asked, `G` what the right gives, `W` what has been written. */
export interface WriteDefinition<I, G, W> extends Pick<RouteFacts, 'path' | 'summary' | 'tag'> {
  /** `put`, which stands for POST too, unless it says otherwise. */
  readonly method?: 'put' | 'delete';
  readonly right: Right<Access, I, G, HttpContext>;
  readonly requires?: (context: HttpContext) => void;
  /** Parameters beside those of every write. */
  readonly parameters?: readonly ParameterName[];
  readonly body?: RouteFacts['body'];
  readonly answer: AnswerBody;
  readonly failures?: RouteFacts['failures'];
  readonly isSecret?: boolean;
  /** Reads path, parameters and body. @throws SchedulerError, RequestError */
  readonly parse: (call: Call, context: HttpContext) => I | Promise<I>;
  readonly regionOf?: (input: I) => string;
  /** Writes, on the leader. */
  readonly write: (input: I, context: HttpContext, granted: G, call: Call) => Promise<W>;
  /** The index of the write, and the body that tells of it; null for an empty one. */
  readonly show: (written: W) => { readonly index: number | bigint; readonly body: object | null };
}

export function writeRoute<I, G, W>(definition: WriteDefinition<I, G, W>): Route<HttpContext, Access> {
  const { regionOf, requires, parse, write, show } = definition;
  return defineRoute({
    method: definition.method ?? 'put',
    path: definition.path,
    summary: definition.summary,
    tag: definition.tag,
    right: definition.right,
    body: definition.body ?? null,
    answer: definition.answer,
    failures: definition.failures ?? [],
    headers: 'write',
    forward: 'leader',
    isSecret: definition.isSecret === true,
    parameters: ['region', 'pretty', ...(definition.parameters ?? [])],
    ...(requires === undefined ? {} : { requires }),
    open: (context: HttpContext) => ({
      parse: (call) => parse(call, context),
      ...(regionOf === undefined ? {} : { regionOf }),
      async answer(input, granted, call) {
        const { index, body } = show(await write(input, context, granted, call));
        return body === null ? { index } : { index, ...jsonResponse(call, body) };
      },
    }),
  });
}

/** Whether a request has a body: some writes can do without. */
export function hasBody({ body }: Pick<FastifyRequest, 'body'>): boolean {
  return typeof body === 'string' && body.trim() !== '';
}
