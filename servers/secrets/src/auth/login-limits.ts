import { isIPv6 } from 'node:net';
import { SecretsError } from '../base/errors.js';

/**
 * Limits of logins, which need no token: per address and in total. Packages for rate limits use the system clock. They limit
 * neither the number of stored addresses nor concurrent logins.
 */
export type LoginLimits = Readonly<Record<keyof typeof defaultLoginLimits, number>>;

export const defaultLoginLimits = Object.freeze({
  /** Maximum body size, in bytes. Prevents unauthenticated callers from sending more than a token needs. */
  maxBodyLength: 65_536,
  /** Sustained logins per second and address. Prevents one machine from keeping the CPU busy. */
  perSecond: 50,
  /** Logins of one address before the rate applies. Allows a fleet that shares one address to start at once. */
  burst: 500,
  /** Maximum concurrent logins per address. Prevents one machine from blocking others while the cloud is slow. */
  concurrentPerPeer: 128,
  /** Maximum concurrent logins in total. Prevents waiting callers from filling the memory while the cloud is slow. */
  concurrent: 512,
});

interface Peer {
  tokens: number;
  at: number;
  underWay: number;
}

/** Maximum number of tracked addresses. Prevents a network with many addresses from filling the memory. */
const maxPeers = 10_000;

/** Admits logins within the limits, and refuses others. */
export type LoginGate = ReturnType<typeof createLoginGate>;

export function createLoginGate(limits: LoginLimits, now: () => number) {
  const peers = new Map<string, Peer>();
  let underWay = 0;

  function admit(key: string): Peer {
    const peer = peers.get(key) ?? { tokens: limits.burst, at: now(), underWay: 0 };
    const earned = (Math.max(0, now() - peer.at) / 1000) * limits.perSecond;
    peer.tokens = Math.min(limits.burst, peer.tokens + earned);
    peer.at = now();
    // Moves the address to the end, because the first one, seen least recently, is dropped when there are too many.
    peers.delete(key);
    peers.set(key, peer);
    if (peers.size > maxPeers) forgetOne(peers);
    const isFull = underWay >= limits.concurrent || peer.underWay >= limits.concurrentPerPeer;
    if (isFull || peer.tokens < 1) {
      throw new SecretsError('too-many-requests', 'too many logins: try again in a moment');
    }
    peer.tokens -= 1;
    return peer;
  }

  return {
    /** Admits a login. The function returned must be called once when the login ends. @throws SecretsError `too-many-requests` */
    enter(address: string): () => void {
      const peer = admit(peerKey(address));
      peer.underWay += 1;
      underWay += 1;
      return () => {
        peer.underWay -= 1;
        underWay -= 1;
      };
    },
  };
}

function forgetOne(peers: Map<string, Peer>): void {
  for (const [key, { underWay }] of peers) {
    if (underWay > 0) continue;
    peers.delete(key);
    return;
  }
}

/** Returns the key of an address. All IPv6 addresses of a /64 share a key, because one customer usually has all of them. */
function peerKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}
