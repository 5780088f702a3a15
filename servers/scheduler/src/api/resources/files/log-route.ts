import { Readable } from 'node:stream';
import type { Access } from '../../../services/acl/access.js';
import { parseLogParams, type LogParams } from '@tamis/scheduler-node/file-params.js';
import type { AgentRequest } from '@tamis/scheduler-model/host/agent-service.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { fromServerHeader } from '../../kernel/requests/forwarded.js';
import { passOn } from '../../kernel/agent-target.js';
import { allocationRight } from '../allocations/allocation-routes.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { uncompressed } from '../../kernel/live-stream.js';
import { defineRoute } from '../../kernel/pipeline.js';
import { parseStale } from '../../kernel/query.js';
import { textResponse, type RouteResponse } from '../../kernel/response.js';
import type { Call } from '../../kernel/route.js';
import { asData, countStream, endOnStop, endWithRight } from './file-response.js';
import { createLogSource, type LogSource, type Refusal } from './log-source.js';
import { callNodeOf, findNodeOf, requireTask, type NodeTarget } from '../allocations/node-of-allocation.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { openLogFollower } from './log-follower.js';
import { SharedLog } from './shared-log.js';

interface LogRequest extends LogParams {
  /** ID of the allocation. */
  readonly id: string;
  readonly stale: boolean;
}

const right = allocationRight('read-logs', 'read-fs');

/** The log of a task, from its node. All followers of a log share one stream from the node. */
export const logRoute: ClusterRoute = defineRoute<HttpContext, Access, LogRequest, Allocation>({
  path: '/v1/client/fs/logs/{alloc_id}',
  summary: 'Read or follow the output of a task, in frames or as it is',
  tag: 'files',
  right,
  parameters: ['region', 'stale', 'task', 'output', 'follow', 'offset', 'origin', 'plain'],
  response: { kind: 'bytes' },
  failures: [404, 429],
  isSecret: true,
  open(context) {
    const logs = createFollowedLogs(context.clock);
    return {
      parse: ({ id, parameters }) => ({ id, stale: parseStale(parameters), ...parseLogParams(parameters) }),
      isStale: ({ stale }) => stale,
      async handle(params, allocation, call) {
        requireTask(allocation, params.task);
        const target = findNodeOf(context, allocation);
        const isShared = params.follow && call.request.headers[fromServerHeader] === undefined;
        countStream(context, call);
        const response = isShared
          ? await follow(context, logs, { params, call, target })
          : await passOn(context.agent, call, target, asAgentRequest(params.id, call, params));
        if (response === null) return null;
        const { body } = response;
        if (body instanceof Readable) endWithRight(context, call, body, { id: params.id, right });
        return asData(call, { isLive: params.follow, ...response });
      },
    };
  },
});

/** Returns the node request with the caller's parameters. */
function asAgentRequest(id: string, { parameters }: Call, { limit }: LogParams): AgentRequest {
  const understood = ['task', 'type', 'follow', 'offset', 'origin', 'plain', 'from', 'limit'];
  return {
    path: `fs/logs/${id}`,
    parameters: new Map([...parameters].filter(([name]) => understood.includes(name))),
    // A chunk is read immediately.
    isLong: limit === null,
  };
}

interface FollowRequest {
  readonly params: LogRequest;
  readonly call: Call;
  readonly target: NodeTarget;
}

async function follow(
  context: HttpContext,
  logs: FollowedLogs,
  { params, call, target }: FollowRequest,
): Promise<RouteResponse> {
  const source = createLogSource(params, callNodeOf(context, call, target));
  const followed = await logs.follow(source, params);
  if (followed.kind === 'refused') return textResponse(followed.status, followed.text);
  const { stream, end } = followed;
  endOnStop(context, stream, end);
  if (call.signal.aborted) stream.destroy();
  return { type: 'text/plain; charset=utf-8', body: stream, headers: uncompressed };
}

/** The logs followed through this server. */
export interface FollowedLogs {
  /** Follows a log from a position. Returns the node's error response if the log is missing. @throws SchedulerError */
  follow(source: LogSource, params: Pick<LogParams, 'start' | 'plain'>): Promise<FollowedLog | Refusal>;
  /** Number of followed logs. */
  readonly count: number;
}

/** A stream of a log, which continues until it is destroyed or ended. */
interface FollowedLog {
  readonly kind: 'stream';
  readonly stream: Readable;
  readonly end: () => void;
}

export function createFollowedLogs(clock: Pick<Clock, 'after'>): FollowedLogs {
  const logs = new Map<string, SharedLog>();

  function logOf(key: string): SharedLog {
    const known = logs.get(key);
    if (known !== undefined) return known;
    const log = new SharedLog(clock, () => {
      if (logs.get(key) === log) logs.delete(key);
    });
    logs.set(key, log);
    return log;
  }

  return {
    async follow(source, { plain, start }) {
      const log = logOf(source.key);
      return log.stayFor(async () => {
        const first = await log.piece(source, start);
        if (first.kind === 'refused') return first;
        // If it has ended meanwhile, another log may have replaced it.
        return { kind: 'stream', ...openLogFollower(logOf(source.key), source, first, { clock, plain }) };
      });
    },
    get count() {
      return logs.size;
    },
  };
}
