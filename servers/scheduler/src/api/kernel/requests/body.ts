import type { StructType } from 'tamis';
import { limitValues, readFirstJson, type HttpLimits } from '@tamis/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { readObject, ShapeError } from '@tamis/scheduler-model/read-shape.js';
import { unknownKeyWarnings } from '@tamis/scheduler-model/unknown-keys.js';
import type { Input } from '@tamis/scheduler-model/row-type.js';
import { taskQueue } from './task-queue.js';

/** Makes the app read all bodies as strings, whatever their content type. */
export function acceptAnyBody(app: FastifyInstance, { maxBodyValues }: HttpLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, async (_request: unknown, body: string) => {
    await stepOn(body, () => limitValues(body, maxBodyValues));
    return body;
  });
}

/** Minimum length of a body whose processing steps run in separate turns of the event loop. */
const longBody = 65_536;

/** A signal that is never aborted, because the sender of a body waits for the result. */
const untilDone = new AbortController().signal;

/**
 * Runs one step of processing a body. If the body is long, it runs in a separate turn, so that other requests are served in
 * between.
 */
export async function stepOn<R>(body: unknown, step: () => R): Promise<R> {
  return typeof body === 'string' && body.length >= longBody ? taskQueue.run(step, untilDone) : step();
}

/**
 * Parses the body of a write by its shape.
 *
 * @throws SchedulerError `bad-request`; RequestError `bad-json`.
 */
export function readBody<S extends StructType>(shape: S, body: unknown): Input<S> {
  const given: unknown = readValue(shape, parseBody(body));
  return given as Input<S>;
}

/** Parses a body and rejects unknown keys. A long body is processed in several turns. */
export async function readBodyStrictly<S extends StructType>(
  shape: S,
  request: Pick<FastifyRequest, 'body'>,
): Promise<{ readonly given: Input<S>; readonly warnings: readonly string[] }> {
  const { body } = request;
  const value = await stepOn(body, () => parseBody(body));
  const given: unknown = await stepOn(body, () => readValue(shape, value));
  const warnings = await stepOn(body, () => unknownKeyWarnings(shape, value));
  return { given: given as Input<S>, warnings };
}

/** Parses a body as JSON. Null becomes an empty object, as in all bodies. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string' || body.trim() === '') throw badRequest('Request body is empty');
  return readFirstJson(body) ?? {};
}

function readValue(shape: StructType, value: unknown): object {
  try {
    return readObject(shape, value, '');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw badRequest(`${error.path || 'Request body'}: ${error.problem}`);
  }
}
