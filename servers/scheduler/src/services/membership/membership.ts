import type { Member } from '@tamis/scheduler-model/wire/member.js';

/** The outcome of an attempt to join others. */
export interface JoinOutcome {
  /** Addresses that were joined; a repeated one counts each time, and so does this agent itself. */
  readonly joined: number;
  /** A message for each failed address, such as `failed to join 10.0.0.1:4648: …`. */
  readonly failures: readonly string[];
}

/** An event of a member. */
export interface MemberEvent {
  readonly kind: 'join' | 'leave' | 'failed' | 'update' | 'reap';
  readonly member: Member;
}

/** The members, as this server sees them. Eventually consistent. */
export interface Membership {
  /** Begins to take part; resolves when others can join this agent. @throws the listener's error. */
  start(): Promise<void>;
  /** This agent. */
  self(): Member;
  /** All members including this agent, in the order of their names. @throws SchedulerError `no-members` */
  members(): Promise<readonly Member[]>;
  /** Joins agents by the addresses of their gossip; the port may be left out. @throws SchedulerError `no-members` */
  join(addresses: readonly string[]): Promise<JoinOutcome>;
  /**
   * Declares a member gone: a failed one has left then. An unknown one is no error. This agent itself stays.
   *
   * @param prune also takes it off the list.
   * @throws SchedulerError `no-members`
   */
  forceLeave(name: string, prune: boolean): Promise<void>;
  /** Facts about the gossip, for operators. */
  stats(): Promise<Readonly<Record<string, string>>>;
  /** Calls `listener` for events from now on; returns a function to stop. */
  subscribe(listener: (event: MemberEvent) => void): () => void;
  /** Takes part no longer. Others will see this agent fail. */
  close(): Promise<void>;
}

/** The default gossip port. */
export const defaultGossipPort = 4648;

/** `a` before `b` by name, byte by byte. */
export function byName(a: Member, b: Member): number {
  return a.Name < b.Name ? -1 : a.Name > b.Name ? 1 : 0;
}
