export { ClientError, type ClientErrorDetails } from '../http/client/client-error.js';
export { applyChanges } from '../http/client/apply-changes.js';
export type {
  ClientChange,
  ClientFacets,
  ClientHeaders,
  ClientOptions,
  ClientPage,
  ClientPositions,
  ClientQuery,
  ListClient,
} from '../http/client/client-types.js';
export { listClient } from '../http/client/list-client.js';
