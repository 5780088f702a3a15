export { ConfigError } from './config-error.js';
