import type { Member } from '@tamis/scheduler-model/wire/member.js';

/** The outcome of an attempt to join others. */
export interface JoinOutcome {
  /** Number of joined addresses; repeated ones and this agent itself count too. */
  readonly joined: number;
  /** A message for each failed address, such as `failed to join 10.0.0.1:4648: …`. */
  readonly failures: readonly string[];
}

/** An event of a member. */
export interface MemberEvent {
  readonly kind: 'join' | 'leave' | 'failed' | 'update' | 'reap';
  readonly member: Member;
}

/** The members as this server sees them; eventually consistent. */
export interface Membership {
  /** Starts to take part. Resolves when others can join this agent. @throws the listener's error. */
  start(): Promise<void>;
  /** Returns this agent. */
  self(): Member;
  /** Returns all members including this agent, sorted by name. @throws SchedulerError `no-members` */
  members(): Promise<readonly Member[]>;
  /** Joins agents by gossip address; the port is optional. @throws SchedulerError `no-members` */
  join(addresses: readonly string[]): Promise<JoinOutcome>;
  /**
   * Marks a failed member as left. An unknown one is not an error; this agent itself stays.
   *
   * @param prune whether to remove it from the list too.
   * @throws SchedulerError `no-members`
   */
  forceLeave(name: string, prune: boolean): Promise<void>;
  /** Returns gossip statistics for operators. */
  stats(): Promise<Readonly<Record<string, string>>>;
  /** Calls `listener` for events from now on. The returned function unsubscribes. */
  subscribe(listener: (event: MemberEvent) => void): () => void;
  /** Stops taking part. Others will see this agent fail. */
  close(): Promise<void>;
}

/** The default gossip port. */
export const defaultGossipPort = 4648;

/** Compares names bytewise. */
export function byName(a: Member, b: Member): number {
  return a.Name < b.Name ? -1 : a.Name > b.Name ? 1 : 0;
}
