import { parseQueryString, RequestError, type QueryParameters } from '@tamis/http';
import { maxPathLength } from '../api/request.js';
import { badRequest, SecretsError } from '../base/errors.js';

/** The target of a request: a decoded path, and its query parameters. */
export interface Target {
  readonly path: string;
  readonly query: QueryParameters;
}

/** Maximum length of a query parameter, in UTF-16 units. The API only has flags and counts. */
const maxParameterLength = 4_096;
/** Matches control, format, private and unassigned characters, and all separators except the blank. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/**
 * Reads the target of a request.
 *
 * @throws SecretsError `path-too-long`, or `bad-request` for an ambiguous path
 */
export function readTarget(url: string, maxParameters: number): Target {
  const [rawPath = '', ...rest] = url.split('?');
  if (Buffer.byteLength(rawPath) > maxPathLength) {
    throw new SecretsError('path-too-long', `the path is longer than ${maxPathLength} bytes`);
  }
  if (!rawPath.startsWith('/')) throw badRequest('the target must be a path');
  const path = decode(rawPath);
  if (unprintable.test(path)) throw badRequest('the path holds a character that cannot be printed');
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw badRequest('the path holds a relative segment');
  }
  return { path, query: readQuery(rest.join('?'), maxParameters) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequest('the path holds an invalid percent escape');
  }
}

/** Replaces messages of `servers/http`, which quote the query. */
function readQuery(text: string, maxParameters: number): QueryParameters {
  try {
    return parseQueryString(text, { maxParameters, maxParameterLength: maxParameterLength });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw badRequest('the query cannot be read');
  }
}
