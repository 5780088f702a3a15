import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';
import { headersFor, type ResponseHeaders } from './response-headers.js';

type PassedHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/**
 * Creates the response class of a listener. It adds the configured headers, which replace the server's own, to every response
 * when the status line is written.
 *
 * @param current returns the configured headers; called for each response, so that a reload applies to open connections.
 * @param isClosing if true, the connection closes after the response, so that a stopping server need not wait.
 */
export function finalResponse(
  current: () => ResponseHeaders,
  isClosing: () => boolean,
): typeof ServerResponse<IncomingMessage> {
  return class extends ServerResponse<IncomingMessage> {
    override writeHead(status: number, ...rest: readonly (string | PassedHeaders)[]): this {
      const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
      const passed = rest.find((value): value is PassedHeaders => typeof value === 'object');
      for (const [name, value] of headerPairs(passed)) this.setHeader(name, value);
      // Responses created by Node itself lack this header.
      if (!this.hasHeader('Cache-Control')) this.setHeader('Cache-Control', 'no-store');
      if (isClosing()) this.shouldKeepAlive = false;
      for (const [name, value] of headersFor(current(), status)) this.setHeader(name, value);
      return reason === undefined ? super.writeHead(status) : super.writeHead(status, reason);
    }
  };
}

function headerPairs(passed: PassedHeaders): readonly (readonly [string, OutgoingHttpHeader])[] {
  if (passed === undefined) return [];
  const flat = Array.isArray(passed) ? passed : Object.entries(passed).flat();
  const pairs: (readonly [string, OutgoingHttpHeader])[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const value = flat[at + 1];
    if (value !== undefined) pairs.push([String(flat[at]), value]);
  }
  return pairs;
}
