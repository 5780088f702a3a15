import { readFirstJson } from '@tamis/http';
import { SchedulerError } from '../errors.js';
import { readObject, ShapeError } from '../model/read-shape.js';
import type { Given, StructShape } from '../model/shape.js';

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
