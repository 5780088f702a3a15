import type { StructType } from 'tamis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitValues, readFirstJson, type HttpLimits } from '@tamis/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { readObject, ShapeError } from '../model/read-shape.js';
import { unknownKeyWarnings } from '../model/unknown-keys.js';
import type { Input } from '../model/row-type.js';

/** Bodies are read as text, whatever they claim to be. */
export function acceptAnyBody(app: FastifyInstance, { maxBodyValues }: HttpLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, async (_request: unknown, body: string) => {
    limitValues(body, maxBodyValues);
    return body;
  });
}

/** Length of a body from which the steps of working on it are turns of their own. */
const longBody = 65_536;

/** Lets others have a turn before the work on a long body goes on. */
export async function pauseAfterLong({ body }: Pick<FastifyRequest, 'body'>): Promise<void> {
  if (typeof body === 'string' && body.length >= longBody) await nextTurn();
}

/**
 * Reads the body of a write as what its shape says.
 *
 * @throws SchedulerError `empty-body` or `bad-body`; RequestError `bad-json`.
 */
export function readBody<S extends StructType>(shape: S, body: unknown): Input<S> {
  const given: unknown = readValue(shape, parseBody(body));
  return given as Input<S>;
}

/** The same, with what is wrong with the keys that the shape does not have. A long body takes a turn for each step. */
export async function readBodyStrictly<S extends StructType>(
  shape: S,
  request: Pick<FastifyRequest, 'body'>,
): Promise<{ readonly given: Input<S>; readonly warnings: readonly string[] }> {
  await pauseAfterLong(request);
  const value = parseBody(request.body);
  await pauseAfterLong(request);
  const given: unknown = readValue(shape, value);
  return { given: given as Input<S>, warnings: unknownKeyWarnings(shape, value) };
}

/** Null is an object in which nothing is given, here as everywhere. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string' || body.trim() === '') {
    throw new SchedulerError('empty-body', 'Request body is empty');
  }
  return readFirstJson(body) ?? {};
}

function readValue(shape: StructType, value: unknown): object {
  try {
    return readObject(shape, value, '');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new SchedulerError('bad-body', `${error.path || 'Request body'}: ${error.problem}`);
  }
}
