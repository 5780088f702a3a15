import { isIP } from 'node:net';
import { isInCidrs, unwrapAddress } from '../base/cidr.js';
import { SecretsError } from '../base/errors.js';

/** Which proxies may say for whom they speak. */
export interface ForwardedFor {
  /** Blocks of addresses of proxies; empty to trust none. */
  readonly authorizedCidrs: readonly string[];
  /** Entries at the end of the header that belong to proxies further in. */
  readonly hopSkips: number;
  /** Refuses a proxy that does not say for whom it speaks. */
  readonly rejectNotPresent: boolean;
  /** Refuses the header from anybody else; else it is ignored. */
  readonly rejectNotAuthorized: boolean;
}

export const noForwardedFor: ForwardedFor = Object.freeze({
  authorizedCidrs: [],
  hopSkips: 0,
  rejectNotPresent: false,
  rejectNotAuthorized: true,
});

/**
 * The address that a request comes from: that of the socket, unless it is a known proxy's.
 *
 * @throws SecretsError `bad-request` for a header that is missing, not allowed, or holds no address
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
  return new SecretsError('bad-request', `header X-Forwarded-For is ${why}`);
}
