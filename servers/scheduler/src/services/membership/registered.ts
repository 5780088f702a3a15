import { createListeners } from '@tamis/http';
import type { RegisteredServer, ServerList } from '@tamis/scheduler-state/cluster/server-list.js';
import { gossipVersions, type Member } from '@tamis/scheduler-model/wire/member.js';
import { byName, type MemberEvent, type Membership } from './membership.js';

/** Combines a membership with the registered servers, which are alive while registered. */
export function createRegisteredMembership(own: Membership, servers: ServerList): Membership {
  const listeners = createListeners<[MemberEvent]>();
  let known: ReadonlyMap<string, Member> = new Map();

  function registered(): ReadonlyMap<string, Member> {
    const self = own.self().Name;
    const others = servers.all().filter(({ name }) => name !== self);
    return new Map(others.map((server) => [server.name, memberOf(server)]));
  }

  function look(): void {
    const before = known;
    known = registered();
    for (const [name, member] of known) if (!before.has(name)) listeners.notify({ kind: 'join', member });
    for (const [name, member] of before)
      if (!known.has(name)) listeners.notify({ kind: 'leave', member: { ...member, Status: 'left' } });
  }

  async function members(): Promise<readonly Member[]> {
    const alive = registered();
    const others = (await own.members()).filter(({ Name }) => !alive.has(Name));
    return [...others, ...alive.values()].sort(byName);
  }

  const withdraw = servers.subscribe(look);
  return {
    start: () => own.start(),
    self: () => own.self(),
    members,
    join: (addresses) => own.join(addresses),
    forceLeave: (name, prune) => own.forceLeave(name, prune),
    stats: async () => ({ ...(await own.stats()), members: String((await members()).length) }),
    subscribe(listener) {
      const ends = [listeners.subscribe(listener), own.subscribe(listener)];
      return () => ends.forEach((end) => end());
    },
    async close() {
      withdraw();
      await own.close();
    },
  };
}

function memberOf({ name, gossipPort, tags }: RegisteredServer): Member {
  const Addr = tags['rpc_addr'] ?? '';
  return { Name: name, Addr, Port: gossipPort, Tags: tags, Status: 'alive', ...gossipVersions };
}
