import type { ClusterMember } from '../../../etcd/test/support/etcd-cluster.js';
import type { Region } from './region.js';

/** The output of `etcdctl endpoint status` for a member. */
interface EndpointStatus {
  readonly Endpoint: string;
  readonly Status: {
    readonly header: { readonly member_id: number; readonly revision: number };
    readonly leader: number;
  };
}

function endpointStatuses({ etcd }: Region): readonly EndpointStatus[] {
  return JSON.parse(etcd.control(['endpoint', 'status', '-w', 'json'])) as readonly EndpointStatus[];
}

/** The member that leads etcd itself. */
export function etcdLeader(region: Region): ClusterMember {
  // The numbers exceed the precision of a double, and are all rounded in the same way.
  const leading = endpointStatuses(region).find(({ Status }) => Status.header.member_id === Status.leader);
  const member = region.etcd.members.find(({ url }) => url === leading?.Endpoint);
  if (member === undefined) throw new Error('etcd has no leader');
  return member;
}

/** Removes all revisions of etcd but the last one. */
export function compactAll(region: Region): void {
  const revision = Math.max(...endpointStatuses(region).map(({ Status }) => Status.header.revision));
  region.etcd.control(['compact', String(revision)]);
}
