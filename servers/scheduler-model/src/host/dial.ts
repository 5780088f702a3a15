import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connectTcp } from '@tamis/http';
import { formatAddress, type Address } from './address.js';

/** Error of a failed connection. The message contains the address and the cause, worded as in Go. */
export class DialError extends Error {
  override readonly name = 'DialError';

  constructor(
    message: string,
    /** Whether the machine refused the connection because no process listens there. */
    readonly isRefused = false,
  ) {
    super(message);
  }
}

/** A connection lost during a request: the peer may or may not have processed it. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** Timeout for connecting, in ms. Prevents addresses that drop packets from blocking a request. */
export const dialTimeout = 5_000;

/** Opens a TCP connection. @throws DialError */
export async function dial(address: Address, timeout = dialTimeout): Promise<Socket> {
  try {
    return await connectTcp(address, timeout);
  } catch (error) {
    throw new DialError(explainDial(error, address), codeOf(error) === 'ECONNREFUSED');
  }
}

/**
 * Applies the timeout to connecting only; the response has no time limit.
 *
 * @param connected called before the request is sent.
 */
export function limitConnecting(request: ClientRequest, connected: () => void): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) {
      connected();
      return;
    }
    const isSecure = 'encrypted' in socket;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' }));
    }, dialTimeout);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      connected();
    });
    socket.once('close', () => clearTimeout(timer));
  });
}

const causes: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['EADDRNOTAVAIL', 'connect: cannot assign requested address'],
  ['EACCES', 'connect: permission denied'],
  ['EINVAL', 'connect: invalid argument'],
  ['ECONNRESET', 'read: connection reset by peer'],
  ['ETIMEDOUT', 'i/o timeout'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'temporary failure in name resolution'],
]);

/** A host name with several addresses fails with one error each; the first one is used. */
function codeOf(error: unknown): unknown {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  return code === undefined && errors?.[0] !== undefined ? codeOf(errors[0]) : code;
}

/** Returns why a connection failed. */
export function explainDial(error: unknown, address: Address): string {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${address.host}: ${causes.get(code) ?? ''}`;
  }
  const cause = typeof code === 'string' ? (causes.get(code) ?? code) : String(error);
  return `dial tcp ${formatAddress(address)}: ${cause}`;
}
