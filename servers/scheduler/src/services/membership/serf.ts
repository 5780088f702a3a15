import { createListeners } from '@tamis/http';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { AddressError, formatAddress, parseAddress } from '@tamis/scheduler-model/host/address.js';
import {
  byName,
  defaultGossipPort,
  type JoinOutcome,
  type MemberEvent,
  type Membership,
} from './membership.js';
import { noMember, type Member } from '@tamis/scheduler-model/wire/member.js';
import { SerfError, textOf, type SerfBody, type SerfConnection } from './serf-connection.js';
import { createSerfLink, requireSuccess, type SerfLinkOptions } from './serf-link.js';
import { readSerfMembers } from './serf-member.js';

const eventKinds: ReadonlyMap<string, MemberEvent['kind']> = new Map([
  ['member-join', 'join'],
  ['member-leave', 'leave'],
  ['member-failed', 'failed'],
  ['member-update', 'update'],
  ['member-reap', 'reap'],
]);

/**
 * Creates a membership of the members known to a local Serf agent, over its RPC. Serf monitors the members and detects failures.
 * While disconnected, the last known members are used.
 */
export function createSerfMembership(options: SerfLinkOptions): Membership {
  const { subscribe, notify } = createListeners<[MemberEvent]>();
  let known: readonly Member[] | null = null;
  const link = createSerfLink(options, {
    events: [...eventKinds.keys()],
    takeEvent,
    async prepare(connection) {
      known = await readMembers(connection);
    },
  });

  function takeEvent({ Event, Members }: SerfBody): void {
    const kind = eventKinds.get(textOf(Event));
    if (kind === undefined) return;
    for (const member of readSerfMembers(Members)) {
      const others = (known ?? []).filter(({ Name }) => Name !== member.Name);
      known = kind === 'reap' ? others : [...others, member];
      notify({ kind, member });
    }
  }

  /** @throws SchedulerError `no-members` */
  async function use<R>(action: (connection: SerfConnection) => Promise<R>): Promise<R> {
    const connection = link.current();
    if (connection === null) throw noMembers('it is not connected');
    try {
      return await action(connection);
    } catch (error) {
      throw error instanceof SerfError ? noMembers(error.message) : error;
    }
  }

  return {
    start: link.start,
    self: () => known?.find(({ Name }) => Name === link.agentName()) ?? noMember,
    async members() {
      if (link.current() === null && known !== null) return [...known].sort(byName);
      const members = await use(readMembers);
      known = members;
      return [...members].sort(byName);
    },
    join: (addresses) => use((connection) => join(connection, addresses)),
    forceLeave: (name, prune) =>
      use(async (connection) => {
        requireSuccess(await connection.call('force-leave', { Node: name, Prune: prune }, false));
      }),
    // A failure of this call must not make other statistics unavailable for debugging.
    stats: () => use(readStats).catch(() => ({ connected: 'false', source: 'serf' })),
    subscribe,
    close: link.close,
  };
}

async function readMembers(connection: SerfConnection): Promise<readonly Member[]> {
  return readSerfMembers(requireSuccess(await connection.call('members', null, true))['Members']);
}

/** Returns the statistics of the gossip. */
async function readStats(connection: SerfConnection): Promise<Readonly<Record<string, string>>> {
  const { serf } = requireSuccess(await connection.call('stats', null, true)) as { readonly serf?: SerfBody };
  const facts = Object.entries(serf ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  return { ...Object.fromEntries(facts), connected: 'true', source: 'serf' };
}

/** Joins the addresses in one call. Serf tries them one after the other, and reports failed ones only if all failed. */
async function join(connection: SerfConnection, addresses: readonly string[]): Promise<JoinOutcome> {
  const failures: string[] = [];
  const requested: string[] = [];
  for (const text of addresses) {
    try {
      requested.push(formatAddress(parseAddress(text, defaultGossipPort)));
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      failures.push(`failed to join ${text}: ${error.message}`);
    }
  }
  if (requested.length === 0) return { joined: 0, failures };
  const { body, error } = await connection.call('join', { Existing: requested, Replay: false }, true);
  const joined = body?.['Num'];
  return {
    joined: typeof joined === 'number' ? joined : 0,
    failures: error === '' ? failures : [...failures, ...listedErrors(error)],
  };
}

/** Returns the lines of an error that lists several; the whole message of any other. */
function listedErrors(text: string): readonly string[] {
  const lines = [...text.matchAll(/^\t\* (.*)$/gm)].map(([, line = '']) => line);
  return (lines.length === 0 ? [text] : lines).map((line) =>
    line.replace(/^Failed to join/, 'failed to join'),
  );
}

function noMembers(reason: string): SchedulerError {
  return new SchedulerError('no-members', `no response from the Serf agent: ${reason}`);
}
