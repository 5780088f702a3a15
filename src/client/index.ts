export { ClientError } from './client-error.js';
export type {
  ClientChange,
  ClientFacets,
  ClientOptions,
  ClientPage,
  ClientQuery,
  ListClient,
} from './client-types.js';
export { listClient } from './list-client.js';
