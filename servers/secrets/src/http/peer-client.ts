import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ApiResponse } from '../api/endpoint-result.js';
import type { ClockResponse, ClockReport } from '../base/clocks.js';
import { SecretsError } from '../base/errors.js';
import {
  clockPath,
  packForwarded,
  peerPath,
  proofHeaders,
  untouchedHeader,
  type ForwardedRequest,
} from './peer-link.js';
import type { PeerTls } from './peer-server.js';

/** Forwards requests to the active server. */
export type PeerClient = ReturnType<typeof createPeerClient>;

export function createPeerClient(tls: PeerTls | null) {
  const agent =
    tls === null ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ...tls });
  const scheme = tls === null ? 'http' : 'https';

  function call(
    address: string,
    path: string,
    key: Buffer,
    bytes: Buffer,
    signal: AbortSignal,
    isRead: boolean,
  ): Promise<IncomingMessage | null> {
    return new Promise((resolve, reject) => {
      const sent = (tls === null ? httpRequest : httpsRequest)(`${scheme}://${address}${path}`, {
        agent,
        method: 'POST',
        headers: proofHeaders(key, path, bytes),
        signal,
        ...(tls !== null && { minVersion: 'TLSv1.3' as const }),
      });
      let mayHaveArrived = false;
      const ready = tls === null ? 'connect' : 'secureConnect';
      sent.once('socket', (socket) => {
        if (socket.connecting) socket.once(ready, () => (mayHaveArrived = true));
        else mayHaveArrived = true;
      });
      sent.once('error', () => (mayHaveArrived ? reject(lostResponse(isRead)) : resolve(null)));
      sent.once('response', resolve);
      sent.end(bytes);
    });
  }

  return {
    /**
     * Returns the response of the server at an address; null if it certainly has not handled the request.
     *
     * @throws SecretsError if it is unknown whether it has handled the request
     */
    async send(
      address: string,
      key: Buffer,
      forwarded: ForwardedRequest,
      signal: AbortSignal,
    ): Promise<ApiResponse | null> {
      const bytes = packForwarded(forwarded);
      const isRead = forwarded.request.operation === 'read' || forwarded.request.operation === 'list';
      const response = await call(address, peerPath, key, bytes, signal, isRead);
      if (response === null) return null;
      const status = response.statusCode ?? 502;
      if (response.headers[untouchedHeader] !== undefined) {
        response.resume();
        return null;
      }
      const type = response.headers['content-type'] ?? '';
      response.setEncoding('utf8');
      if (type !== 'application/json')
        return { status, body: null, content: { type, pieces: response as AsyncIterable<string> } };
      try {
        const text = await textOf(response);
        return { status, body: text === '' ? null : (JSON.parse(text) as ApiResponse['body']) };
      } catch {
        throw lostResponse(isRead);
      }
    },
    /** Returns the time of the server at an address; null if that server is not active. Rejects if it does not respond. */
    async fetchTime(
      address: string,
      key: Buffer,
      report: ClockReport,
      signal: AbortSignal,
    ): Promise<ClockResponse | null> {
      const response = await call(address, clockPath, key, Buffer.from(JSON.stringify(report)), signal, true);
      if (response === null) return null;
      const text = await textOf(response);
      return response.statusCode === 200 ? (JSON.parse(text) as ClockResponse) : null;
    },
    close: () => agent.destroy(),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) text += piece;
  return text;
}

/** Returns the error for a lost response. Even reads are not retried, because they may have counted a use of the token. */
function lostResponse(isRead: boolean): SecretsError {
  const rest = isRead
    ? 'retry; a use of the token may have been counted'
    : 'whether this was done is not known';
  return new SecretsError(
    'standby',
    `the connection to the active server was lost before it responded: ${rest}`,
  );
}
