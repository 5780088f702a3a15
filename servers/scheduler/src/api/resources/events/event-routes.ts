import type { FastifyRequest } from 'fastify';
import { fullAccess, type Access } from '../../../services/acl/access.js';
import {
  permittedEvents,
  type EventPermission,
  type EventParams,
} from '../../../services/events/event-params.js';
import { jsonLines, serverSentEvents } from '../../../services/events/event-frame.js';
import type { Subscription } from '../../../services/events/event-subscriber.js';
import { taskQueue } from '../../kernel/requests/task-queue.js';
import { refuse, secretOf } from '../../kernel/access.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { parseEventParams, parseFirstIndex } from './event-query.js';
import { uncompressed } from '../../kernel/live-stream.js';
import { topicFilterParameters } from '../../kernel/parameters.js';
import { defineRoute } from '../../kernel/pipeline.js';
import { parseStale } from '../../kernel/query.js';
import type { Right } from '../../kernel/rights.js';

interface EventStreamRequest extends Omit<Subscription, 'permission' | 'isReplaced'> {
  readonly params: EventParams;
  /** Whether it may start on a server that has not caught up with the others. */
  readonly stale: boolean;
}

/** The right to the data of each topic. */
const topicsRight: Right<Access, EventStreamRequest, EventPermission> = {
  name: 'the right to read what each topic shows',
  grant: (_getAccess, { authorise }) => authorise() ?? refuse(),
};

/** The event stream, available on every server: it sends the log entries that server has applied. */
const stream = defineRoute<HttpContext, Access, EventStreamRequest, EventPermission>({
  path: '/v1/event/stream',
  summary: 'Stream the changes of the cluster',
  tag: 'events',
  right: topicsRight,
  parameters: ['region', 'stale', 'namespace', 'topic', 'filter', ...topicFilterParameters, 'event_index'],
  response: { kind: 'events' },
  failures: [429, 503],
  open: (context) => ({
    async parse({ request, parameters, signal }) {
      const { filterOptions } = context.events;
      const params = await taskQueue.run(() => parseEventParams(parameters, filterOptions), signal);
      const from = parseFirstIndex(parameters, headerOf(request, 'last-event-id'));
      const streamsEvents = headerOf(request, 'accept').includes(serverSentEvents.type);
      return {
        ...{ params, from, stale: parseStale(parameters) },
        format: streamsEvents ? serverSentEvents : jsonLines,
        authorise: () => permissionOf(request, params, context),
      };
    },
    isStale: ({ stale }) => stale,
    handle({ params, from, stale, format, authorise }, permission) {
      // This server has caught up with all others, unless stale data is accepted.
      const isReplaced = !stale && from !== null && from > context.state.snapshot().index + 1;
      const body = context.events.open(params, { from, isReplaced, format, authorise, permission });
      const headers = { ...uncompressed, 'cache-control': 'no-store' };
      return { type: format.type, body, isLive: true, headers };
    },
  }),
});

/** Returns the events that the sender may receive by now; null if the token no longer exists, or grants less than requested. */
function permissionOf(
  request: FastifyRequest,
  params: EventParams,
  { access: resolver, state }: HttpContext,
): EventPermission | null {
  const secret = secretOf(request);
  const snapshot = state.snapshot();
  const access = resolver.enabled ? resolver.resolve(secret, snapshot) : fullAccess;
  const isPermitted = access === null ? null : permittedEvents(access, params);
  if (access === null || isPermitted === null) return null;
  const end = resolver.enabled ? resolver.findToken(secret, snapshot)?.ExpirationTime : null;
  const expires = typeof end === 'string' ? Date.parse(end) : null;
  return { isPermitted, expires, key: access.key };
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The routes of events. */
export const eventRoutes: readonly ClusterRoute[] = [stream];
