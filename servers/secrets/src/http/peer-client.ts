import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ApiResponse } from '../api/endpoint-result.js';
import { SecretsError } from '../errors.js';
import {
  packForwarded,
  peerPath,
  proofHeader,
  proofOf,
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
  close(): void;
}

export function createPeerClient(tls: PeerTls | null): PeerClient {
  const agent =
    tls === null ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ...tls });
  const scheme = tls === null ? 'http' : 'https';

  function ask(
    address: string,
    proof: string,
    bytes: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage | null> {
    return new Promise((resolve, reject) => {
      const sent = (tls === null ? httpRequest : httpsRequest)(`${scheme}://${address}${peerPath}`, {
        agent,
        method: 'POST',
        headers: { [proofHeader]: proof, 'content-length': bytes.length },
        signal,
        ...(tls !== null && { minVersion: 'TLSv1.3' as const }),
      });
      let mayHaveArrived = false;
      const ready = tls === null ? 'connect' : 'secureConnect';
      sent.once('socket', (socket) => {
        if (socket.connecting) socket.once(ready, () => (mayHaveArrived = true));
        else mayHaveArrived = true;
      });
      sent.once('error', () => (mayHaveArrived ? reject(unknownOutcome()) : resolve(null)));
      sent.once('response', resolve);
      sent.end(bytes);
    });
  }

  return {
    async send(address, key, forwarded, signal) {
      const bytes = packForwarded(forwarded);
      const answer = await ask(address, proofOf(key, bytes), bytes, signal);
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
        let text = '';
        for await (const piece of answer as AsyncIterable<string>) text += piece;
        return { status, body: text === '' ? null : (JSON.parse(text) as ApiResponse['body']) };
      } catch {
        throw unknownOutcome();
      }
    },
    close: () => agent.destroy(),
  };
}

function unknownOutcome(): SecretsError {
  return new SecretsError(
    'standby',
    'the active server was lost before it answered: whether this was done is not known',
  );
}
