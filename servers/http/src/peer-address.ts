import { isLoopbackAddress } from './origin-check.js';

/**
 * Whether requests may be forwarded to a server at this address: they carry the tokens of users. Other machines require mutual
 * TLS, so that the operator's CA confirms the server.
 *
 * @param address host and port.
 */
export function mayDialPeer(address: string, hasMutualTls: boolean): boolean {
  const [, host = ''] = /^\[?(.*?)\]?:\d+$/.exec(address) ?? [];
  return hasMutualTls ? host !== '' : isLoopbackAddress(host);
}
