import type { AddressInfo, Server } from 'node:net';
import { acceptQueue, createListeners } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { AddressError, parseAddress } from '@tamis/scheduler-model/host/address.js';
import { dial, DialError } from '@tamis/scheduler-model/host/dial.js';
import { createGreeter, readHandshake } from './handshake.js';
import {
  byName,
  defaultGossipPort,
  type JoinOutcome,
  type MemberEvent,
  type Membership,
} from './membership.js';
import type { Member } from '@tamis/scheduler-model/wire/member.js';

export interface LocalMembershipOptions {
  /** Advertised address; port 0 selects a free one. */
  readonly bind: string;
  readonly port: number;
  /** Returns the member entry of this agent for a port. */
  readonly describe: (port: number) => Member;
  /** The other members, from the configuration. */
  readonly roster: readonly Member[];
  /** Creates an instance ID that is different for any two agents. */
  readonly uuid: () => string;
  readonly clock: Clock;
}

/** Delay before a member that may still be alive is pruned, in ms. In this time it can object. */
const pruneDelay = 6_000;

/** Maximum number of concurrent connections. Prevents one request from opening a hundred. */
const maxDials = 8;

/**
 * Creates a membership of this agent and a roster from the operator. Members are not monitored: each keeps its status until it is
 * removed or joins. A restart restores the roster.
 */
export function createLocalMembership(options: LocalMembershipOptions): Membership {
  return new LocalMembership(options);
}

class LocalMembership implements Membership {
  readonly #options: LocalMembershipOptions;
  readonly #others: Map<string, Member>;
  readonly #listeners = createListeners<[MemberEvent]>();
  readonly subscribe = this.#listeners.subscribe;
  /** Members whose removal is pending, by name, with the function that cancels it. */
  readonly #prunings = new Map<string, () => void>();
  readonly #counts = { events: 0, intents: 0 };
  #port: number;
  #instance = '';
  #greeter: Server | null = null;

  constructor(options: LocalMembershipOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#others = new Map(options.roster.map((member) => [member.Name, member]));
  }

  async start(): Promise<void> {
    const { bind, uuid } = this.#options;
    this.#instance = uuid();
    const listener = createGreeter({ member: this.self().Name, instance: this.#instance });
    this.#greeter = listener;
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ host: bind, port: this.#port, backlog: acceptQueue }, resolve);
    });
    ({ port: this.#port } = listener.address() as AddressInfo);
  }

  self(): Member {
    return this.#options.describe(this.#port);
  }

  async members(): Promise<readonly Member[]> {
    return [this.self(), ...this.#others.values()].sort(byName);
  }

  async join(addresses: readonly string[]): Promise<JoinOutcome> {
    const outcomes: (string | null)[] = [];
    for (let at = 0; at < addresses.length; at += maxDials) {
      const some = addresses.slice(at, at + maxDials);
      outcomes.push(...(await Promise.all(some.map((text) => this.#joinOne(text)))));
    }
    const failures = outcomes.filter((outcome) => outcome !== null);
    return { joined: outcomes.length - failures.length, failures };
  }

  async forceLeave(name: string, prune: boolean): Promise<void> {
    this.#counts.intents += 1;
    const member = this.#others.get(name);
    if (member === undefined) return;
    if (member.Status === 'failed') this.#change({ ...member, Status: 'left' }, 'leave');
    if (member.Status === 'alive') this.#change({ ...member, Status: 'leaving' }, 'update');
    if (prune) this.#prune(name);
  }

  async stats(): Promise<Readonly<Record<string, string>>> {
    const all = [this.self(), ...this.#others.values()];
    const count = (status: Member['Status']): string =>
      String(all.filter(({ Status }) => Status === status).length);
    return {
      encrypted: 'false',
      event_time: String(this.#counts.events),
      failed: count('failed'),
      intent_time: String(this.#counts.intents),
      left: count('left'),
      members: String(all.length),
      source: 'roster',
    };
  }

  async close(): Promise<void> {
    for (const cancel of this.#prunings.values()) cancel();
    this.#prunings.clear();
    const listener = this.#greeter;
    if (listener !== null) await new Promise<void>((resolve) => listener.close(() => resolve()));
  }

  #change(member: Member, kind: MemberEvent['kind']): void {
    if (kind === 'reap') this.#others.delete(member.Name);
    else this.#others.set(member.Name, member);
    this.#counts.events += 1;
    this.#listeners.notify({ kind, member });
  }

  #prune(name: string): void {
    const member = this.#others.get(name);
    if (member?.Status !== 'leaving') {
      if (member !== undefined) this.#change(member, 'reap');
      return;
    }
    if (this.#prunings.has(name)) return;
    const cancel = this.#options.clock.after(pruneDelay, () => {
      this.#prunings.delete(name);
      const leaving = this.#others.get(name);
      if (leaving?.Status === 'leaving') this.#change(leaving, 'reap');
    });
    this.#prunings.set(name, cancel);
  }

  /** Tries to join an agent. Returns the reason of a failure; null if it joined. */
  async #joinOne(text: string): Promise<string | null> {
    try {
      const handshake = await readHandshake(await dial(parseAddress(text, defaultGossipPort)));
      if (handshake === null) return `failed to join ${text}: there is no agent at this address`;
      if (handshake.instance === this.#instance) return null;
      const member = this.#others.get(handshake.member);
      if (member === undefined) {
        return `failed to join ${text}: ${handshake.member} is not in the roster of this agent: add it, or use Serf`;
      }
      if (member.Status !== 'alive') this.#change({ ...member, Status: 'alive' }, 'join');
      return null;
    } catch (error) {
      if (!(error instanceof DialError || error instanceof AddressError)) throw error;
      return `failed to join ${text}: ${error.message}`;
    }
  }
}
