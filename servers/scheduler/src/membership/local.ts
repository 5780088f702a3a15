import type { AddressInfo, Server } from 'node:net';
import { acceptQueue } from '@tamis/http';
import type { Clock } from '../clock.js';
import { AddressError, parseAddress } from '../host/address.js';
import { dial, DialError } from '../host/dial.js';
import { createGreeter, readGreeting } from './greeting.js';
import { byName, defaultGossipPort, type MemberEvent, type Membership } from './membership.js';
import type { Member } from './member.js';

export interface LocalMembershipOptions {
  /** Where to be found by others; port 0 takes any free one. */
  readonly bind: string;
  readonly port: number;
  /** This agent, found at a port. */
  readonly describe: (port: number) => Member;
  /** The others, as they are written down. */
  readonly roster: readonly Member[];
  /** Makes what differs between any two agents. */
  readonly uuid: () => string;
  readonly clock: Clock;
}

/** Milliseconds before a member that may still be alive is pruned: time for it to hear of it and to object. */
const pruneDelay = 6_000;

/** Addresses that are tried at a time. Stops one request from opening a connection to each of a hundred. */
const maxDials = 8;

/**
 * This agent and a roster that the operator has written down. Nobody is watched: a member has the status that the
 * roster gives it until it is told to leave, or joined. A restart brings the roster back.
 */
export function createLocalMembership(options: LocalMembershipOptions): Membership {
  const { bind, describe, uuid, clock } = options;
  const others = new Map(options.roster.map((member) => [member.Name, member]));
  const listeners = new Set<(event: MemberEvent) => void>();
  const prunings = new Map<string, () => void>();
  let { port } = options;
  let instance = '';
  let greeter: Server | null = null;
  const self = (): Member => describe(port);
  const counts = { events: 0, intents: 0 };

  function change(member: Member, kind: MemberEvent['kind']): void {
    if (kind === 'reap') others.delete(member.Name);
    else others.set(member.Name, member);
    counts.events += 1;
    for (const listener of listeners) listener({ kind, member });
  }

  function prune(name: string): void {
    const member = others.get(name);
    if (member?.Status !== 'leaving') {
      if (member !== undefined) change(member, 'reap');
      return;
    }
    if (prunings.has(name)) return;
    const cancel = clock.after(pruneDelay, () => {
      prunings.delete(name);
      const leaving = others.get(name);
      if (leaving?.Status === 'leaving') change(leaving, 'reap');
    });
    prunings.set(name, cancel);
  }

  async function joinOne(text: string): Promise<string | null> {
    try {
      const greeting = await readGreeting(await dial(parseAddress(text, defaultGossipPort)));
      if (greeting === null) return `failed to join ${text}: there is no agent at this address`;
      if (greeting.instance === instance) return null;
      const member = others.get(greeting.member);
      if (member === undefined) {
        return `failed to join ${text}: ${greeting.member} is not in the roster of this agent: add it, or use Serf`;
      }
      if (member.Status !== 'alive') change({ ...member, Status: 'alive' }, 'join');
      return null;
    } catch (error) {
      if (!(error instanceof DialError || error instanceof AddressError)) throw error;
      return `failed to join ${text}: ${error.message}`;
    }
  }

  return {
    async start() {
      instance = uuid();
      const listener = createGreeter({ member: self().Name, instance });
      greeter = listener;
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        listener.listen({ host: bind, port, backlog: acceptQueue }, resolve);
      });
      ({ port } = listener.address() as AddressInfo);
    },
    self,
    members: async () => [self(), ...others.values()].sort(byName),
    async join(addresses) {
      const outcomes: (string | null)[] = [];
      for (let at = 0; at < addresses.length; at += maxDials) {
        outcomes.push(...(await Promise.all(addresses.slice(at, at + maxDials).map(joinOne))));
      }
      const failures = outcomes.filter((outcome) => outcome !== null);
      return { joined: outcomes.length - failures.length, failures };
    },
    async forceLeave(name, withPrune) {
      counts.intents += 1;
      const member = others.get(name);
      if (member === undefined) return;
      if (member.Status === 'failed') change({ ...member, Status: 'left' }, 'leave');
      if (member.Status === 'alive') change({ ...member, Status: 'leaving' }, 'update');
      if (withPrune) prune(name);
    },
    async stats() {
      const all = [self(), ...others.values()];
      const count = (status: Member['Status']): string =>
        String(all.filter(({ Status }) => Status === status).length);
      return {
        encrypted: 'false',
        event_time: String(counts.events),
        failed: count('failed'),
        intent_time: String(counts.intents),
        left: count('left'),
        members: String(all.length),
        source: 'roster',
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      for (const cancel of prunings.values()) cancel();
      prunings.clear();
      const listener = greeter;
      if (listener !== null) await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}
