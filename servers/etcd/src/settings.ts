/** The settings of a connection and their rules, without what it takes to connect. */
export { readEndpoints, type EtcdSettings, type TlsFiles, type UserFile } from './connection/settings.js';
export { EtcdError } from './errors.js';
export { isLogPrefix } from './log/layout.js';
