import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audience, clientId, clientSecret, tenant, type FakeCloud } from '../test/support/fake-cloud.js';
import { createClient, type Client } from './client.js';
import { initialize } from './initialize.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

/** A configured server in a separate process that uses a fake cloud, with an audit log. */
export interface StressedServer {
  readonly process: ServerProcess;
  readonly address: string;
  readonly client: Client;
  readonly rootToken: string;
  readonly unsealKey: string;
  readonly auditFile: string;
  stop(): Promise<void>;
}

/**
 * Starts a server with a store on disk, whose limits for logins are out of the way.
 *
 * @param directory for its files. @throws Error when it does not start
 */
export async function startStressedServer(
  main: string,
  directory: string,
  cloud: FakeCloud,
  connections: number,
): Promise<StressedServer> {
  const auditFile = join(directory, 'audit.log');
  const file = join(directory, 'server.hcl');
  writeFileSync(file, configOf(cloud, auditFile, join(directory, 'store')));
  const server = startServerProcess(main, ['--config', file]);
  const [address] = (await server.listening) ?? [];
  if (address === undefined) throw new Error(`the server does not start: ${server.output()}`);
  const client = createClient(address, connections);
  const { unsealKey, rootToken } = await initialize(client);
  await client.send('PUT', 'sys/unseal', { key: unsealKey });
  await configureCloud(client, rootToken);
  return {
    process: server,
    address,
    client,
    rootToken,
    unsealKey,
    auditFile,
    async stop() {
      client.close();
      await server.kill();
    },
  };
}

/** Configures the tenant of a server's callers. @throws Error if it is refused */
export async function configureCloud(client: Client, rootToken: string): Promise<void> {
  const config = { tenant_id: tenant, resource: audience, client_id: clientId, client_secret: clientSecret };
  const path = 'auth/cloud/config';
  const { status, text } = await client.send('POST', path, { ...config, max_retries: 0 }, rootToken);
  if (status !== 204) throw new Error(`the server does not take its configuration: ${text}`);
}

function configOf(cloud: FakeCloud, auditFile: string, store: string): string {
  return `
    storage "lmdb" { path = ${JSON.stringify(store)} }
    audit "file" { path = ${JSON.stringify(auditFile)} }
    listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }
    ${cloudBlock(cloud, 'max_tokens_per_identity = 0')}`;
}

/** A mount that uses a fake cloud, with limits that are never reached. */
export function cloudBlock({ origin }: FakeCloud, settings: string): string {
  const max = '1000000';
  return `
    auth "cloud" {
      login_rate = ${max}  login_burst = ${max}  login_concurrency = 1000  login_concurrency_per_client = 1000
      ${settings}
      endpoints {
        CloudPublicCloud {
          authority = "${origin}"  resource_manager = "${origin}/arm"
          resource_manager_audience = "${origin}/arm"  graph = "${origin}/graph"
        }
        metadata = "${origin}"
      }
    }`;
}
