import { setImmediate as nextTurn } from 'node:timers/promises';
import { readFirstJson } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { readObject, ShapeError } from '../model/read-shape.js';
import type { Given, StructShape } from '../model/shape.js';

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
export function readBody<S extends StructShape>(shape: S, body: unknown): Given<S> {
  if (typeof body !== 'string' || body.trim() === '') {
    throw new SchedulerError('empty-body', 'Request body is empty');
  }
  try {
    // Null is an object in which nothing is given, here as everywhere.
    const given: unknown = readObject(shape, readFirstJson(body) ?? {}, '');
    return given as Given<S>;
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new SchedulerError('bad-body', `${error.path || 'Request body'}: ${error.problem}`);
  }
}
