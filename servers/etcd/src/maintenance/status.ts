import type { Connection } from '../connection/connection.js';
import type { Transport } from '../connection/transport.js';
import { methods } from '../protocol/methods.js';
import { AlarmRequest, AlarmType, MemberListRequest } from '../protocol/messages.js';

/** The state of a member, or why it is not known. */
export type MemberStatus =
  | {
      readonly url: string;
      readonly version: string;
      /** Bytes of its database on disk. */
      readonly databaseBytes: number;
      readonly isLeader: boolean;
      readonly hasLeader: boolean;
    }
  | { readonly url: string; readonly failure: string };

/** Returns the state of each configured member, queried concurrently. */
export function memberStatus(connection: Connection): Promise<readonly MemberStatus[]> {
  return connection.each(async (member, url) => {
    try {
      const status = await member.call(methods.status, {}, { timeout: 1_000, requireLeader: false });
      return {
        url,
        version: status.version,
        databaseBytes: Number(status.dbSize),
        isLeader: status.leader !== 0n && status.leader === status.header?.memberId,
        hasLeader: status.leader !== 0n,
      };
    } catch (error) {
      return { url, failure: (error as Error).message };
    }
  });
}

/** A member as the members themselves know it. */
export interface ClusterMember {
  readonly name: string;
  /** URLs by which the members reach each other. */
  readonly peerUrls: readonly string[];
}

/** @throws EtcdError */
export async function listMembers(transport: Transport): Promise<readonly ClusterMember[]> {
  const { members } = await transport.call(methods.memberList, MemberListRequest.fromPartial({}));
  return members.map(({ name, peerURLs }) => ({ name, peerUrls: peerURLs }));
}

/** An alarm that a member has raised: `no-space` refuses every put in the whole cluster. */
export interface RaisedAlarm {
  readonly kind: 'no-space' | 'corrupt' | 'other';
  /** The id of the member, in hexadecimal digits as `etcdctl` prints it. */
  readonly member: string;
}

/** @throws EtcdError */
export async function raisedAlarms(transport: Transport): Promise<readonly RaisedAlarm[]> {
  const { alarms } = await transport.call(methods.alarm, AlarmRequest.fromPartial({}));
  return alarms.map(({ alarm, memberID }) => ({
    kind: alarm === AlarmType.NOSPACE ? 'no-space' : alarm === AlarmType.CORRUPT ? 'corrupt' : 'other',
    member: memberID.toString(16),
  }));
}
