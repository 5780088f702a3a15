import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';
import { headersFor, type ResponseHeaders } from './response-headers.js';

type PassedHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/**
 * The response class of a listener. The configured headers are added when the status line is written, after all other headers:
 * they replace what the server set, and no response is sent without them.
 *
 * @param current read for each response, so that a reload reaches connections that are open.
 * @param isClosing then the connection ends with the response, so that a server that stops need not wait for more.
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
      // Those that Node makes by itself have nothing set yet.
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
