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
import { noMember, type Member, type MemberStatus } from '@tamis/scheduler-model/wire/member.js';
import { SerfError, textOf, type SerfBody, type SerfConnection } from './serf-connection.js';
import { createSerfLink, requireSuccess, type SerfLinkOptions } from './serf-link.js';

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

const statuses: ReadonlySet<string> = new Set(['none', 'alive', 'leaving', 'left', 'failed']);

/** Parses a list of members from a Serf agent. @throws SerfError */
function readSerfMembers(value: unknown): readonly Member[] {
  // Serf writes an empty list as nil.
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new SerfError('the Serf agent has sent no list of members');
  return value.map((item: unknown) => readMember(item));
}

function readMember(value: unknown): Member {
  if (typeof value !== 'object' || value === null) throw new SerfError('the Serf agent has sent no member');
  const member = value as SerfBody;
  const Status = textOf(member['Status']);
  const number = (name: string): number => {
    const field = member[name];
    return typeof field === 'number' ? field : 0;
  };
  return {
    Name: textOf(member['Name']),
    Addr: readAddress(member['Addr']),
    Port: number('Port'),
    Tags: readTags(member['Tags']),
    Status: statuses.has(Status) ? (Status as MemberStatus) : 'none',
    ProtocolMin: number('ProtocolMin'),
    ProtocolMax: number('ProtocolMax'),
    ProtocolCur: number('ProtocolCur'),
    DelegateMin: number('DelegateMin'),
    DelegateMax: number('DelegateMax'),
    DelegateCur: number('DelegateCur'),
  };
}

function readTags(value: unknown): Member['Tags'] {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)]));
}

/** Parses four bytes, or sixteen whose first twelve mark an IPv4 address. */
function readAddress(value: unknown): string {
  if (!(value instanceof Uint8Array)) return '';
  const bytes = [...value];
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0);
  if (isMapped && bytes[10] === 255 && bytes[11] === 255) return bytes.slice(12).join('.');
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  // The address parser returns the shortest form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
