import { isLoopbackAddress } from './origin-check.js';

/**
 * Whether requests may be sent to a server that has written its address where servers find each other: they carry the tokens of users. On
 * this machine they may; to another one by mutual TLS only, so that it is one that the operator's authority knows.
 *
 * @param address host and port.
 */
export function mayDialPeer(address: string, hasMutualTls: boolean): boolean {
  const [, host = ''] = /^\[?(.*?)\]?:\d+$/.exec(address) ?? [];
  return hasMutualTls ? host !== '' : isLoopbackAddress(host);
}
