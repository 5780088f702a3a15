import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ApiResponse } from '../api/endpoint-result.js';
import type { ClockAnswer, ClockReport } from '../base/clocks.js';
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

/** Passes requests on to the active server. */
export interface PeerClient {
  /**
   * The answer of the server at an address; null when it has done nothing.
   *
   * @throws SecretsError when nobody knows what it has done
   */
  send(
    address: string,
    key: Buffer,
    forwarded: ForwardedRequest,
    signal: AbortSignal,
  ): Promise<ApiResponse | null>;
  /** The time of the server at an address; null when it is not the active one. Rejects when no answer comes. */
  askTime(
    address: string,
    key: Buffer,
    report: ClockReport,
    signal: AbortSignal,
  ): Promise<ClockAnswer | null>;
  close(): void;
}

export function createPeerClient(tls: PeerTls | null): PeerClient {
  const agent =
    tls === null ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ...tls });
  const scheme = tls === null ? 'http' : 'https';

  function ask(
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
      sent.once('error', () => (mayHaveArrived ? reject(lostAnswer(isRead)) : resolve(null)));
      sent.once('response', resolve);
      sent.end(bytes);
    });
  }

  return {
    async send(address, key, forwarded, signal) {
      const bytes = packForwarded(forwarded);
      const isRead = forwarded.request.operation === 'read' || forwarded.request.operation === 'list';
      const answer = await ask(address, peerPath, key, bytes, signal, isRead);
      if (answer === null) return null;
      const status = answer.statusCode ?? 502;
      if (answer.headers[untouchedHeader] !== undefined) {
        answer.resume();
        return null;
      }
      const type = answer.headers['content-type'] ?? '';
      answer.setEncoding('utf8');
      if (type !== 'application/json')
        return { status, body: null, content: { type, pieces: answer as AsyncIterable<string> } };
      try {
        const text = await textOf(answer);
        return { status, body: text === '' ? null : (JSON.parse(text) as ApiResponse['body']) };
      } catch {
        throw lostAnswer(isRead);
      }
    },
    async askTime(address, key, report, signal) {
      const answer = await ask(address, clockPath, key, Buffer.from(JSON.stringify(report)), signal, true);
      if (answer === null) return null;
      const text = await textOf(answer);
      return answer.statusCode === 200 ? (JSON.parse(text) as ClockAnswer) : null;
    },
    close: () => agent.destroy(),
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) text += piece;
  return text;
}

/** A read is not sent again from here: it may have taken a use of its token. */
function lostAnswer(isRead: boolean): SecretsError {
  const rest = isRead
    ? 'ask again, a use of the token may have been counted'
    : 'whether this was done is not known';
  return new SecretsError('standby', `the active server was lost before it answered: ${rest}`);
}
