export { monotonicClock, type Clock } from './clock.js';
export { connect, type Connection, type ConnectionDependencies } from './connection/connection.js';
export { type EtcdSettings, type TlsFiles, type UserFile } from './connection/settings.js';
export { EtcdError, isUnavailable, type EtcdErrorCode } from './errors.js';
