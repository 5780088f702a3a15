import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { RequestError } from 'tamis/internal';

/** Rules for detecting requests sent by a browser page of another site. */
export interface OriginPolicy {
  /** Whether the listener is bound to loopback: then only local and configured host names are accepted. */
  readonly loopback: boolean;
  /** Additional host names that are accepted on loopback, in lower case and without a port. */
  readonly hostNames: readonly string[];
}

const loopbackNetwork = new BlockList();
loopbackNetwork.addSubnet('127.0.0.0', 8, 'ipv4');

/**
 * Rejects requests from hostile web pages: a foreign host name that resolves to this machine (DNS rebinding), and a write
 * from a page of another site. Reads from other sites are served: without CORS headers the browser hides the response from the
 * page.
 *
 * @throws RequestError `foreign-host` or `foreign-site`.
 */
export function checkOrigin(guard: OriginPolicy, method: string, headers: IncomingHttpHeaders): void {
  const host = headers.host ?? '';
  if (guard.loopback && !isLocalHost(host, guard.hostNames)) {
    throw new RequestError(
      'foreign-host',
      `Host ${JSON.stringify(host)} is not a name of this server: use localhost, 127.0.0.1 or [::1]`,
    );
  }
  if (method !== 'GET' && isForeign(headers, host)) {
    throw new RequestError('foreign-site', 'Writes from pages of another site are refused');
  }
}

/** Whether an address is reachable only from this machine. */
export function isLoopbackAddress(address: string): boolean {
  if (address === 'localhost' || address === '::1') return true;
  return isIP(address) === 4 && loopbackNetwork.check(address, 'ipv4');
}

/** Compares the name without its port, in lower case; IPv6 addresses keep their brackets. */
function isLocalHost(host: string, more: readonly string[]): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name === 'localhost' || name === '[::1]' || isLoopbackAddress(name) || more.includes(name);
}

function isForeign(headers: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  return origin !== undefined && !isSameHost(origin, host);
}

function isSameHost(origin: string, host: string): boolean {
  const authority = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return authority !== undefined && authority.toLowerCase() === host.toLowerCase();
}
