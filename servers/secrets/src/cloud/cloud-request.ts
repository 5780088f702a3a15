import { CloudError } from './cloud-error.js';

/** A request to a cloud, ready to be sent. */
export interface CloudRequest {
  /** The name of the call in messages: "the discovery document". */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A complete response with any status except a redirect. */
export interface CloudResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/**
 * Builds a URL from an origin with an optional path, path segments and a query. Each segment is percent-encoded, so a value
 * cannot add a segment, a query or another host.
 *
 * @throws CloudError for an empty segment, and for `.` and `..`, which encoding would not change.
 */
export function buildUrl(
  base: string,
  segments: readonly string[],
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(base);
  const encoded = segments.map((segment) => {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new CloudError('malformed', 'a part of an address is empty or invalid');
    }
    return encodeURIComponent(segment);
  });
  url.pathname = [url.pathname.replace(/\/+$/, ''), ...encoded].join('/');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Returns a GET request without credentials. */
export function get(name: string, url: URL, headers: Readonly<Record<string, string>> = {}): CloudRequest {
  return { name, method: 'GET', url, headers: { accept: 'application/json', ...headers }, body: null };
}

/** Returns a POST request with a form. */
export function postForm(name: string, url: URL, form: Readonly<Record<string, string>>): CloudRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  return { name, method: 'POST', url, headers, body: new URLSearchParams(form).toString() };
}

/** Returns a POST request with JSON. */
export function postJson(name: string, url: URL, value: unknown): CloudRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return { name, method: 'POST', url, headers, body: JSON.stringify(value) };
}

/**
 * Returns the request with an access token.
 *
 * @throws CloudError if the request does not go to `origin`: a token is only sent to its own service, regardless of links in
 * responses.
 */
export function withBearer(request: CloudRequest, token: string, origin: string): CloudRequest {
  if (request.url.origin !== new URL(origin).origin) {
    throw new CloudError('malformed', `${request.name} leads to another host`);
  }
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/**
 * Returns the JSON object of a response.
 *
 * @throws CloudError `refused` for 4xx, `unreachable` for 408, 429 and 5xx, `malformed` for anything except an object.
 */
export function readObject(
  request: CloudRequest,
  response: CloudResponse,
): Readonly<Record<string, unknown>> {
  requireSuccess(request, response);
  let value: unknown;
  try {
    value = JSON.parse(response.text);
  } catch {
    throw new CloudError('malformed', `${request.name} is not JSON`, response.status);
  }
  if (!isRecord(value))
    throw new CloudError('malformed', `${request.name} is not a JSON object`, response.status);
  return value;
}

/** @throws CloudError for every status that is not 2xx. */
export function requireSuccess(request: CloudRequest, response: CloudResponse): void {
  if (response.status >= 200 && response.status < 300) return;
  const later = response.status === 408 || response.status === 429 || response.status >= 500;
  throw new CloudError(
    later ? 'unreachable' : 'refused',
    `${request.name} returned status ${String(response.status)}`,
    response.status,
  );
}

/** Whether a value is a JSON object. Read its fields with `textField` and `recordField`, which ignore inherited ones. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field with a non-empty string; null for anything else. */
export function textField(object: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a field with an object; an empty object for anything else. */
export function recordField(
  object: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isRecord(value) ? value : {};
}

/** Returns the objects in a field with a list; an empty list for anything else. */
export function recordsField(
  object: Readonly<Record<string, unknown>>,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
