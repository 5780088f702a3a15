import { isLoopbackAddress } from '@tamis/http';

/** A server of another region to which requests must not be sent. The message names it and suggests a fix. */
export class RegionError extends Error {
  override readonly name = 'RegionError';
}

/** The regions that this agent knows: its own, and those whose servers it can call. */
export interface Regions {
  readonly own: string;
  /** All of them, in order. */
  readonly names: readonly string[];
  /** The servers of another region, in the order of the configuration; null for a region that is not known. */
  peersOf(name: string): readonly URL[] | null;
}

/** @throws RegionError for the first address that cannot be used. */
export function readRegions(own: string, configured: ReadonlyMap<string, readonly string[]>): Regions {
  const peers = new Map<string, readonly URL[]>();
  for (const [name, addresses] of configured) {
    if (name === own) continue;
    peers.set(
      name,
      addresses.map((address) => readPeer(name, address)),
    );
  }
  const names = [...new Set([own, ...peers.keys()])].sort();
  return { own, names, peersOf: (name) => peers.get(name) ?? null };
}

/**
 * Requests carry the caller's token, so they leave this machine only over connections that cannot be intercepted.
 *
 * @throws RegionError
 */
export function readPeer(region: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  // Messages must not contain passwords, nor strings that only look like addresses.
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
