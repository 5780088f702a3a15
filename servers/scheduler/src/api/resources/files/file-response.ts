import type { Readable } from 'node:stream';
import { repeat } from '@tamis/http';
import { accessOf } from '../../kernel/access.js';
import type { allocationRight } from '../allocations/allocation-right.js';
import type { HttpContext } from '../../kernel/context.js';
import type { RouteResponse } from '../../kernel/response.js';
import type { Call } from '../../kernel/route.js';

/** What a task wrote is never a page: it is nothing that a browser shows, runs, keeps or gives to another site. */
const dataHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** The answer with what a task wrote, as data. */
export function asData({ reply }: Pick<Call, 'reply'>, response: RouteResponse): RouteResponse {
  // An operator may allow other sites to read all other answers.
  for (const name of reply.raw.getHeaderNames()) {
    if (name.startsWith('access-control-')) reply.raw.removeHeader(name);
  }
  return { ...response, headers: { ...response.headers, ...dataHeaders } };
}

/** Counts an answer among those that are read at the pace of clients, until it is over. @throws SchedulerError `too-many-streams` */
export function countStream(
  { fileStreams }: Pick<HttpContext, 'fileStreams'>,
  { reply }: Pick<Call, 'reply'>,
): void {
  const release = fileStreams.begin();
  // More than other answers have: this one, that of the agent's end, that of a live body.
  reply.raw.setMaxListeners(reply.raw.getMaxListeners() + 3);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Milliseconds between two looks at whether somebody who follows may still do so. */
const rightPause = 5_000;

/** Breaks a stream off when the token of whoever reads it is none any more, or gives less than is needed. */
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

/** Ends a stream in order when the agent stops. */
export function endOnStop({ agent }: Pick<HttpContext, 'agent'>, stream: Readable, end: () => void): void {
  const cancel = agent.onStop(end);
  stream.once('close', cancel);
}
