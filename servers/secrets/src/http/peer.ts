import { isIP } from 'node:net';
import { isInCidrs, unwrapAddress } from '../base/cidr.js';
import type { SecretsError } from '../base/errors.js';
import { badRequest } from '../base/errors.js';

/** Rules for proxies that report the address of their client in a header. */
export interface ForwardedFor {
  /** CIDR blocks of trusted proxies; empty to trust none. */
  readonly authorizedCidrs: readonly string[];
  /** Number of entries at the end of the header that belong to inner proxies and are skipped. */
  readonly hopSkips: number;
  /** Whether to refuse requests of a proxy without the header. */
  readonly rejectNotPresent: boolean;
  /** Whether to refuse requests from other addresses with the header. If not, the header is ignored. */
  readonly rejectNotAuthorized: boolean;
}

export const noForwardedFor: ForwardedFor = Object.freeze({
  authorizedCidrs: [],
  hopSkips: 0,
  rejectNotPresent: false,
  rejectNotAuthorized: true,
});

/**
 * Returns the client address of a request: the address of the socket, or the reported one if the socket belongs to a trusted
 * proxy.
 *
 * @throws SecretsError `bad-request` for a header that is missing, not allowed, or has no valid address
 */
export function peerOf(socketAddress: string, header: string | undefined, trust: ForwardedFor): string {
  const direct = unwrapAddress(socketAddress);
  if (trust.authorizedCidrs.length === 0) return direct;
  const isProxy = isInCidrs(trust.authorizedCidrs, direct);
  if (header === undefined) {
    if (isProxy && trust.rejectNotPresent) throw refused('missing');
    return direct;
  }
  if (!isProxy) {
    if (trust.rejectNotAuthorized) throw refused('not allowed from this address');
    return direct;
  }
  const hops = header.split(',').map((hop) => hop.trim());
  const claimed = hops[hops.length - 1 - trust.hopSkips] ?? '';
  const address = claimed.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (isIP(address) === 0) throw refused('without an address where one is expected');
  return unwrapAddress(address);
}

function refused(why: string): SecretsError {
  return badRequest(`header X-Forwarded-For is ${why}`);
}
