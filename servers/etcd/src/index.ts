export { monotonicClock, type Clock } from './clock.js';
export { connect, type Connection, type ConnectionDependencies } from './connection/connection.js';
export { type Transport } from './connection/transport.js';
export { type EtcdSettings, type TlsFiles, type UserFile } from './connection/settings.js';
export { EtcdError, isUnavailable, type EtcdErrorCode } from './errors.js';
export { confirmLeader } from './log/confirm.js';
export { joinElection, type Candidate, type ElectedLeader, type Election } from './election/election.js';
export { joinRegistry, type OwnRegistration, type Registration, type Registry } from './election/registry.js';
export { watchForTakeover, type TakeoverOptions, type WatchedLeader } from './election/takeover.js';
export { renewLease, type CurrentLease, type LeaseRenewer } from './election/lease.js';
export { type Commit, type CommitOutcome } from './log/append.js';
export { type FollowEvent } from './log/follow.js';
export { type Head } from './log/head.js';
export { openLog, type Log } from './log/log.js';
export { maxRowBytes, type Row, type RowChange } from './log/rows.js';
export { compactRegularly, compactTo, type CompactionDependencies } from './maintenance/compaction.js';
export { readOverview, type Overview } from './maintenance/overview.js';
export { checkSnapshot, saveSnapshot } from './maintenance/snapshot.js';
export {
  listMembers,
  memberStatus,
  raisedAlarms,
  type ClusterMember,
  type MemberStatus,
  type RaisedAlarm,
} from './maintenance/status.js';
