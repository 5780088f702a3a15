import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import { AddressError, formatAddress, parseAddress } from '../host/address.js';
import { dial } from '../host/dial.js';
import {
  byName,
  defaultGossipPort,
  type JoinOutcome,
  type MemberEvent,
  type Membership,
} from './membership.js';
import { noMember, type Member } from './member.js';
import {
  openSerfConnection,
  SerfError,
  textOf,
  type SerfAnswer,
  type SerfBody,
  type SerfConnection,
} from './serf-connection.js';
import { readSerfMembers } from './serf-member.js';

export interface SerfMembershipOptions {
  /** `host:port` of the RPC of a Serf agent. */
  readonly rpcAddress: string;
  readonly authKey: string | null;
  /** What this server says about itself; set on the Serf agent whenever a connection begins. */
  readonly tags: () => Member['Tags'];
  readonly clock: Pick<Clock, 'after'>;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Told of what an operator should know: connected, lost, not reachable. */
  readonly onNotice: (notice: string, error: unknown) => void;
}

/** The port of a Serf agent's RPC. */
const defaultSerfRpcPort = 7373;
/** Milliseconds before another attempt to connect: twice as long each time, up to the most. */
const leastPause = 250;
const mostPause = 10_000;

const eventKinds: ReadonlyMap<string, MemberEvent['kind']> = new Map([
  ['member-join', 'join'],
  ['member-leave', 'leave'],
  ['member-failed', 'failed'],
  ['member-update', 'update'],
  ['member-reap', 'reap'],
]);

/**
 * The members that a Serf agent on this machine knows, over its RPC. It watches the others, so who fails is seen to
 * fail. While there is no connection the members are those that were known last.
 */
export function createSerfMembership(options: SerfMembershipOptions): Membership {
  const { authKey, clock, onNotice, random, rpcAddress, tags } = options;
  const listeners = new Set<(event: MemberEvent) => void>();
  let connection: SerfConnection | null = null;
  let agentName = '';
  let known: readonly Member[] | null = null;
  let isClosed = false;
  let failures = 0;
  let cancelPause = (): void => undefined;

  async function connect(): Promise<void> {
    const socket = await dial(parseAddress(rpcAddress, defaultSerfRpcPort));
    socket.setNoDelay(true);
    const fresh = openSerfConnection(socket, clock);
    try {
      await introduce(fresh);
    } catch (error) {
      fresh.close();
      throw error;
    }
    if (isClosed) return fresh.close();
    connection = fresh;
    failures = 0;
    onNotice(`connected to the Serf agent ${agentName}`, null);
    void fresh.ended.then(() => {
      connection = null;
      if (isClosed) return;
      onNotice('the connection to the Serf agent is lost', null);
      tryLater();
    });
  }

  /** Everything that must be said before the connection can be used. */
  async function introduce(fresh: SerfConnection): Promise<void> {
    requireSuccess(await fresh.ask('handshake', { Version: 1 }, false));
    if (authKey !== null && authKey !== '')
      requireSuccess(await fresh.ask('auth', { AuthKey: authKey }, false));
    const { agent } = requireSuccess(await fresh.ask('stats', null, true)) as { readonly agent?: SerfBody };
    agentName = textOf(agent?.['name']);
    const tagged = await fresh.ask('tags', { Tags: tags(), DeleteTags: [] }, false);
    // The members are right without them.
    if (tagged.error !== '') onNotice('the Serf agent does not take the tags', new SerfError(tagged.error));
    await fresh.stream([...eventKinds.keys()].join(','), takeEvent);
    known = await readMembers(fresh);
  }

  function takeEvent({ Event, Members }: SerfBody): void {
    const kind = eventKinds.get(textOf(Event));
    if (kind === undefined) return;
    for (const member of readSerfMembers(Members)) {
      const others = (known ?? []).filter(({ Name }) => Name !== member.Name);
      known = kind === 'reap' ? others : [...others, member];
      for (const listener of listeners) listener({ kind, member });
    }
  }

  function tryNow(): void {
    connect().catch((error: unknown) => {
      if (failures === 0) onNotice('the Serf agent cannot be reached, trying again', error);
      failures += 1;
      tryLater();
    });
  }

  function tryLater(): void {
    if (isClosed) return;
    const pause = Math.min(mostPause, leastPause * 2 ** Math.min(failures, 10));
    cancelPause = clock.after(pause * (0.5 + random() / 2), tryNow);
  }

  /** @throws SchedulerError `no-members` */
  async function use<R>(action: (connection: SerfConnection) => Promise<R>): Promise<R> {
    if (connection === null) throw noMembers('it is not connected');
    try {
      return await action(connection);
    } catch (error) {
      throw error instanceof SerfError ? noMembers(error.message) : error;
    }
  }

  return {
    async start() {
      // The first attempt decides nothing: the Serf agent may be starting too.
      await connect().catch((error: unknown) => {
        onNotice('the Serf agent cannot be reached, trying again', error);
        failures = 1;
        tryLater();
      });
    },
    self: () => known?.find(({ Name }) => Name === agentName) ?? noMember,
    async members() {
      if (connection === null && known !== null) return [...known].sort(byName);
      const members = await use(readMembers);
      known = members;
      return [...members].sort(byName);
    },
    join: (addresses) => use((open) => join(open, addresses)),
    forceLeave: (name, prune) =>
      use(async (open) => {
        requireSuccess(await open.ask('force-leave', { Node: name, Prune: prune }, false));
      }),
    // Whoever looks for a fault must get the other figures also while this one is there.
    stats: () => use(readStats).catch(() => ({ connected: 'false', source: 'serf' })),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      cancelPause();
      const last = connection;
      last?.close();
      await last?.ended;
    },
  };
}

async function readMembers(connection: SerfConnection): Promise<readonly Member[]> {
  return readSerfMembers(requireSuccess(await connection.ask('members', null, true))['Members']);
}

/** The group of the gossip itself among the figures of the agent. */
async function readStats(connection: SerfConnection): Promise<Readonly<Record<string, string>>> {
  const { serf } = requireSuccess(await connection.ask('stats', null, true)) as { readonly serf?: SerfBody };
  const facts = Object.entries(serf ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  return { ...Object.fromEntries(facts), connected: 'true', source: 'serf' };
}

/** Serf tries the addresses one after the other, and says which of them failed only when all did. */
async function join(connection: SerfConnection, addresses: readonly string[]): Promise<JoinOutcome> {
  const failures: string[] = [];
  const wanted: string[] = [];
  for (const text of addresses) {
    try {
      wanted.push(formatAddress(parseAddress(text, defaultGossipPort)));
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      failures.push(`failed to join ${text}: ${error.message}`);
    }
  }
  if (wanted.length === 0) return { joined: 0, failures };
  const { body, error } = await connection.ask('join', { Existing: wanted, Replay: false }, true);
  const joined = body?.['Num'];
  return {
    joined: typeof joined === 'number' ? joined : 0,
    failures: error === '' ? failures : [...failures, ...listedErrors(error)],
  };
}

/** The lines of an error that lists several; the whole text of any other. */
function listedErrors(text: string): readonly string[] {
  const lines = [...text.matchAll(/^\t\* (.*)$/gm)].map(([, line = '']) => line);
  return (lines.length === 0 ? [text] : lines).map((line) =>
    line.replace(/^Failed to join/, 'failed to join'),
  );
}

function requireSuccess({ body, error }: SerfAnswer): SerfBody {
  if (error !== '') throw new SerfError(error);
  return body ?? {};
}

function noMembers(reason: string): SchedulerError {
  return new SchedulerError('no-members', `no answer from the Serf agent: ${reason}`);
}
