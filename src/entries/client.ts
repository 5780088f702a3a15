export { ClientError, type ClientErrorDetails } from '../http/client/client-error.js';
export type {
  ClientChange,
  ClientFacets,
  ClientHeaders,
  ClientOptions,
  ClientPage,
  ClientQuery,
  ListClient,
} from '../http/client/client-types.js';
export { listClient } from '../http/client/list-client.js';
