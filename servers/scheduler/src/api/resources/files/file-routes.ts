import { Readable } from 'node:stream';
import type { QueryParameters } from '@tamis/http';
import type { Access } from '../../../services/acl/access.js';
import { parsePartParams, parsePath, parseStreamParams } from '@tamis/scheduler-node/file-params.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { passOn } from '../../kernel/agent-target.js';
import { allocationRight } from '../allocations/allocation-routes.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { uncompressed } from '../../kernel/live-stream.js';
import type { ParameterName } from '../../kernel/parameters.js';
import { defineRoute } from '../../kernel/pipeline.js';
import { parseStale } from '../../kernel/query.js';
import type { RouteResponse } from '../../kernel/response.js';
import type { ResponseBody } from '../../kernel/route.js';
import { asData, countStream, endWithRight } from './file-response.js';
import { findNodeOf } from '../allocations/node-of-allocation.js';

/** Declaration of a route to the files of an allocation. */
interface FileRouteDefinition {
  /** Its name in the original scheduler and on nodes. */
  readonly word: 'cat' | 'ls' | 'readat' | 'stat' | 'stream';
  readonly summary: string;
  readonly parameters: readonly ParameterName[];
  readonly response: ResponseBody;
  /** Validates the parameters. @throws SchedulerError */
  readonly parse: (parameters: QueryParameters) => unknown;
  /** The response: file metadata, a file, or a file as it grows. */
  readonly sends: 'facts' | 'bytes' | 'frames';
}

interface FileRequest {
  /** ID of the allocation. */
  readonly id: string;
  readonly stale: boolean;
}

const right = allocationRight('read-fs');

function fileRoute(definition: FileRouteDefinition): ClusterRoute {
  const { response: responseBody, parameters, parse, sends, summary, word } = definition;
  const names: ReadonlySet<string> = new Set(parameters);
  return defineRoute<HttpContext, Access, FileRequest, Allocation>({
    path: `/v1/client/fs/${word}/{alloc_id}`,
    summary,
    tag: 'files',
    right,
    parameters: ['region', 'stale', ...parameters],
    response: responseBody,
    failures: [404, 429],
    isSecret: true,
    open: (context) => ({
      parse({ id, parameters: given }) {
        parse(given);
        return { id, stale: parseStale(given) };
      },
      isStale: ({ stale }) => stale,
      async handle({ id }, allocation, call) {
        const target = findNodeOf(context, allocation);
        const isLong = sends !== 'facts';
        if (isLong) countStream(context, call);
        const requested = new Map([...call.parameters].filter(([name]) => names.has(name)));
        const params = { path: `fs/${word}/${id}`, parameters: requested, isLong };
        const response = await passOn(context.agent, call, target, params);
        if (response === null) return null;
        const sent = asData(call, as(sends, response));
        if (sent.body instanceof Readable) endWithRight(context, call, sent.body, { id, right });
        return sent;
      },
    }),
  });
}

/** File content is sent as bytes, whatever content type its node reports. */
function as(sends: FileRouteDefinition['sends'], response: RouteResponse): RouteResponse {
  if (response.status !== 200 || sends === 'facts') return response;
  if (sends === 'bytes') return { ...response, headers: {}, type: 'application/octet-stream' };
  return { ...response, headers: { ...response.headers, ...uncompressed }, isLive: true };
}

/** The routes for files of allocations, available on any agent. */
export const fileRoutes: readonly ClusterRoute[] = [
  fileRoute({
    word: 'ls',
    summary: 'List a directory of an allocation',
    parameters: ['path'],
    response: { kind: 'list', schema: 'FileInfo', filtered: false },
    parse: () => undefined,
    sends: 'facts',
  }),
  fileRoute({
    word: 'stat',
    summary: 'Read about a file of an allocation',
    parameters: ['path'],
    response: { kind: 'json', schema: 'FileInfo' },
    parse: parsePath,
    sends: 'facts',
  }),
  fileRoute({
    word: 'cat',
    summary: 'Read a file of an allocation',
    parameters: ['path'],
    response: { kind: 'bytes' },
    parse: parsePath,
    sends: 'bytes',
  }),
  fileRoute({
    word: 'readat',
    summary: 'Read a part of a file of an allocation',
    parameters: ['path', 'offset', 'limit'],
    response: { kind: 'bytes' },
    parse: parsePartParams,
    sends: 'bytes',
  }),
  fileRoute({
    word: 'stream',
    summary: 'Read a file of an allocation and what is written to it later, in frames or as it is',
    parameters: ['path', 'offset', 'limit', 'origin', 'follow', 'plain'],
    response: { kind: 'bytes' },
    parse: parseStreamParams,
    sends: 'frames',
  }),
];
