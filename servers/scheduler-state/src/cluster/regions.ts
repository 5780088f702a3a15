import { isLoopbackAddress } from '@tamis/http';

/** An unusable address of another region's server. The message names it and suggests a fix. */
export class RegionError extends Error {
  override readonly name = 'RegionError';
}

/** The regions that this agent knows: its own, and those with configured servers. */
export type Regions = ReturnType<typeof readRegions>;

/** @throws RegionError for the first invalid address. */
export function readRegions(own: string, configured: ReadonlyMap<string, readonly string[]>) {
  const peers = new Map<string, readonly URL[]>();
  for (const [name, addresses] of configured) {
    if (name === own) continue;
    peers.set(
      name,
      addresses.map((address) => readPeer(name, address)),
    );
  }
  const names = [...new Set([own, ...peers.keys()])].sort();
  return {
    own /** Names of all regions, sorted. */,
    names /** Returns the servers of another region, in configured order; null for an unknown region. */,
    peersOf: (name: string): readonly URL[] | null => peers.get(name) ?? null,
  };
}

/**
 * Parses the address of a server of another region. Requests contain the caller's token, so they leave this machine only over
 * encrypted connections.
 *
 * @throws RegionError
 */
export function readPeer(region: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  // Messages must not contain a password, or a string that is not really an address.
  const quoted = url === null || url.host === '' ? 'an entry' : JSON.stringify(url.host);
  const refuse = (problem: string): never => {
    throw new RegionError(`regions: ${quoted} of region ${JSON.stringify(region)} ${problem}`);
  };
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return refuse('is not an address: write https://host:port');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('holds a user name or a password: leave them out, requests bring their own tokens');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return refuse('has more than a host and a port: leave the rest out');
  }
  if (url.protocol === 'http:' && !isLoopbackAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    return refuse('would carry tokens over an open connection: use https, or an address of this machine');
  }
  return url;
}
