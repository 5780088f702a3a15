import type { Transport } from '../connection/transport.js';
import { readCandidate, type Candidate } from '../election/election.js';
import type { Registration } from '../election/registry.js';
import { decodeHead, type Head } from '../log/head.js';
import { layoutOf } from '../log/layout.js';
import { methods } from '../protocol/methods.js';
import { getOperation, prefixRange } from '../protocol/requests.js';
import { registrationsOf } from '../election/registry.js';
import { changeOf } from '../watch/watch.js';

/** A log and the servers that share it, as etcd holds them at one revision. */
export interface Overview {
  /** Undefined without a leader. */
  readonly leader: (Candidate & { readonly term: number }) | undefined;
  /** Undefined in a log without commits. */
  readonly head: Head | undefined;
  readonly registrations: readonly Registration[];
}

/** Reads, in one linearizable transaction, everything below the prefix of a log except its rows. @throws EtcdError */
export async function readOverview(transport: Transport, prefix: string): Promise<Overview> {
  const layout = layoutOf(prefix);
  const registered = `${prefix}s/`;
  const { responses } = await transport.call(methods.txn, {
    compare: [],
    success: [{ key: layout.leader }, { key: layout.head }, prefixRange(registered)].map(getOperation),
    failure: [],
  });
  const [leaders = [], heads = [], servers = []] = responses.map((each) => each.responseRange?.kvs ?? []);
  const [leader] = leaders;
  const [head] = heads;
  return {
    leader:
      leader === undefined
        ? undefined
        : { ...readCandidate(leader.value), term: Number(leader.createRevision) },
    head: head === undefined ? undefined : decodeHead(head.value, Number(head.modRevision)),
    registrations: registrationsOf(
      servers.map((kv) => changeOf(kv)),
      registered,
    ),
  };
}
