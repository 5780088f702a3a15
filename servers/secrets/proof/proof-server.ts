import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audience, clientId, clientSecret, tenant, type FakeCloud } from '../test/support/fake-cloud.js';
import { createClient, type Client } from './client.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

/** A server in a process of its own that asks a fake cloud, configured, with an audit log. */
export interface ProofServer {
  readonly process: ServerProcess;
  readonly client: Client;
  readonly rootToken: string;
  readonly auditFile: string;
  stop(): Promise<void>;
}

const rootToken = 'root-token-of-the-proof';

/**
 * Starts a server in memory whose limits for logins are out of the way.
 *
 * @param directory for its files. @throws Error when it does not start
 */
export async function startProofServer(
  main: string,
  directory: string,
  cloud: FakeCloud,
  connections: number,
): Promise<ProofServer> {
  const auditFile = join(directory, 'audit.log');
  const file = join(directory, 'server.hcl');
  writeFileSync(file, configOf(cloud, auditFile));
  const args = ['--dev', '--dev-root-token-id', rootToken, '--config', file];
  const server = startServerProcess(main, args);
  const [address] = (await server.listening) ?? [];
  if (address === undefined) throw new Error(`the server does not start: ${server.output()}`);
  const client = createClient(address, connections);
  const config = { tenant_id: tenant, resource: audience, client_id: clientId, client_secret: clientSecret };
  const { status, text } = await client.ask(
    'POST',
    'auth/cloud/config',
    { ...config, max_retries: 0 },
    rootToken,
  );
  if (status !== 204) throw new Error(`the server does not take its configuration: ${text}`);
  return {
    process: server,
    client,
    rootToken,
    auditFile,
    async stop() {
      client.close();
      await server.kill();
    },
  };
}

function configOf({ origin }: FakeCloud, auditFile: string): string {
  const most = '1000000';
  return `
    audit "file" { path = ${JSON.stringify(auditFile)} }
    listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }
    auth "cloud" {
      login_rate = ${most}  login_burst = ${most}  login_concurrency = 1000  login_concurrency_per_client = 1000
      endpoints {
        CloudPublicCloud {
          authority = "${origin}"  resource_manager = "${origin}/arm"
          resource_manager_audience = "${origin}/arm"  graph = "${origin}/graph"
        }
        metadata = "${origin}"
      }
    }`;
}
