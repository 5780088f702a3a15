import { isIPv6 } from 'node:net';
import { SecretsError } from '../base/errors.js';

/**
 * Limits of the open login path, for one caller and for all of them together. By hand: packages for rate limits go by the
 * clock of the system, and bound neither the addresses that they remember nor the logins under way.
 */
export interface LoginLimits {
  /** Largest body in bytes. Stops anonymous callers from sending more than a token needs. */
  readonly maxBodyLength: number;
  /** Logins a second that one address may keep up. Stops one machine from keeping the processor busy. */
  readonly perSecond: number;
  /** Logins that one address may make at once before the rate counts. Lets a fleet that shares one address start. */
  readonly burst: number;
  /** Logins under way from one address. Stops one machine from taking all places while the cloud is slow. */
  readonly concurrentPerPeer: number;
  /** Logins under way in all. Stops a slow cloud from filling the memory with callers who wait. */
  readonly concurrent: number;
}

export const defaultLoginLimits: LoginLimits = Object.freeze({
  maxBodyLength: 65_536,
  perSecond: 50,
  burst: 500,
  concurrentPerPeer: 128,
  concurrent: 512,
});

interface Peer {
  tokens: number;
  at: number;
  underWay: number;
}

/** Addresses remembered. Stops a network with many addresses from filling the memory. */
const maxPeers = 10_000;

/** A gate that logins pass one by one, and that refuses those that are too many. */
export interface LoginGate {
  /** Takes a place; the function returned, to be called once, gives it back. @throws SecretsError `too-many-requests` */
  enter(peer: string): () => void;
}

export function createLoginGate(limits: LoginLimits, now: () => number): LoginGate {
  const peers = new Map<string, Peer>();
  let underWay = 0;

  function admit(key: string): Peer {
    const peer = peers.get(key) ?? { tokens: limits.burst, at: now(), underWay: 0 };
    const earned = (Math.max(0, now() - peer.at) / 1000) * limits.perSecond;
    peer.tokens = Math.min(limits.burst, peer.tokens + earned);
    peer.at = now();
    // The most recently seen address is last: the first is the one to forget.
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
    enter(address) {
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

/** One customer of a network has a whole /64 of IPv6 addresses: they count as one. */
function peerKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}
