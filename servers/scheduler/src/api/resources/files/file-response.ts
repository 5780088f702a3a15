import type { Readable } from 'node:stream';
import { repeat } from '@tamis/http';
import { accessOf } from '../../kernel/access.js';
import type { allocationRight } from '../allocations/allocation-routes.js';
import type { HttpContext } from '../../kernel/context.js';
import type { RouteResponse } from '../../kernel/response.js';
import type { Call } from '../../kernel/route.js';

/** Task output is never a page: browsers must not display, run or cache it, or share it with other sites. */
const dataHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Returns a response with task output as plain data. */
export function asData({ reply }: Pick<Call, 'reply'>, response: RouteResponse): RouteResponse {
  // An operator may allow other sites to read all other responses.
  for (const name of reply.raw.getHeaderNames()) {
    if (name.startsWith('access-control-')) reply.raw.removeHeader(name);
  }
  return { ...response, headers: { ...response.headers, ...dataHeaders } };
}

/** Counts a response as a stream, read at the client's pace, until it ends. @throws SchedulerError `too-many-requests` */
export function countStream(
  { fileStreams }: Pick<HttpContext, 'fileStreams'>,
  { reply }: Pick<Call, 'reply'>,
): void {
  const release = fileStreams.begin();
  // Three additional listeners: this one, that of the agent's end, and that of a live body.
  reply.raw.setMaxListeners(reply.raw.getMaxListeners() + 3);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Interval between access checks of a follower, in ms. */
const rightPause = 5_000;

/** Aborts a stream when the reader's token is deleted or no longer grants access. */
export function endWithRight(
  context: HttpContext,
  { request }: Pick<Call, 'request'>,
  stream: Readable,
  { id, right }: { readonly id: string; readonly right: ReturnType<typeof allocationRight> },
): void {
  const check = async (): Promise<unknown> => right.grant(() => accessOf(request, context), { id }, context);
  const stop = repeat(
    (milliseconds, action) => context.clock.after(milliseconds, action),
    rightPause,
    () => void check().catch(() => stream.destroy()),
  );
  stream.once('close', stop);
}

/** Ends a stream properly when the agent stops. */
export function endOnStop({ agent }: Pick<HttpContext, 'agent'>, stream: Readable, end: () => void): void {
  const cancel = agent.onStop(end);
  stream.once('close', cancel);
}
