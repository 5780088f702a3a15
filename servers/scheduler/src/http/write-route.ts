import { firstParameter } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '../state/transaction.js';
import { sendJson, setIndexHeader } from '../requests/answer.js';
import type { HttpContext } from './context.js';
import { parsePretty } from '../requests/query.js';
import { hangUpSignal, queryOf, requireRegion } from '../requests/request.js';

/** A write that answers with an object. Rights have been checked. */
export interface Write<R> {
  readonly action: (transaction: Transaction) => R;
  /** What the client is told of it, beside the index. */
  readonly show: (result: R) => object;
}

/** Runs a write on the leader, and answers with its index in header and body. */
export async function answerWrite<R extends { readonly index: number | bigint }>(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, show }: Write<R>,
): Promise<FastifyReply> {
  const parameters = queryOf(request, context.limits);
  requireRegion(firstParameter(parameters, 'region'), context.region);
  await context.leader.require(hangUpSignal(reply));
  const result = await context.state.write(action);
  setIndexHeader(reply, result.index);
  return sendJson(reply, { ...show(result), Index: result.index }, parsePretty(parameters));
}

/** Whether a request has a body: some writes can do without. */
export function hasBody({ body }: FastifyRequest): boolean {
  return typeof body === 'string' && body.trim() !== '';
}
