export { monotonicClock, type Clock } from './clock.js';
export { connect, type Connection, type ConnectionDependencies } from './connection/connection.js';
export { type EtcdSettings, type TlsFiles, type UserFile } from './connection/settings.js';
export { EtcdError, isUnavailable, type EtcdErrorCode } from './errors.js';
export { joinElection, type Candidate, type ElectedLeader, type Election } from './election/election.js';
export { keepLease, type HeldLease, type LeaseKeeper } from './election/lease.js';
