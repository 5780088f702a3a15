import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createFakeCloud, type FakeCloud } from '../../test/support/fake-cloud.js';
import { principal } from '../../test/support/fake-resources.js';
import { createClient } from '../client.js';
import { configureCloud } from '../stressed-server.js';
import { limitFiles } from './audit-cases.js';
import type { ClusterServer } from './cluster-server.js';
import type { Region } from './region.js';
import { bodyOf, createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

type Three = readonly [ClusterServer, ClusterServer, ClusterServer];

/** A region whose servers use a fake cloud. */
async function openWithCloud(stage: Stage): Promise<{ readonly region: Region; readonly cloud: FakeCloud }> {
  const cloud = await createFakeCloud();
  stage.atEnd(() => cloud.close());
  const region = await stage.open({ cloud });
  const client = createClient(region.servers[1]?.address ?? '', 1);
  await configureCloud(client, region.rootToken);
  client.close();
  return { region, cloud };
}

async function logIn(
  send: SendRequest,
  server: ClusterServer,
  cloud: FakeCloud,
  role: string,
): Promise<string> {
  const response = await send(server, 'POST', 'auth/cloud/login', { role, jwt: await cloud.token() }, null);
  if (response.status !== 200) throw new Error(`a login returns ${response.status}: ${response.text}`);
  return (bodyOf(response) as { readonly auth: { readonly client_token: string } }).auth.client_token;
}

function roleOf(more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { bound_service_principal_ids: [principal], token_policies: ['work'], ...more };
}

/** A change through one server is visible on the others with the next request. */
async function changeEverywhere(stage: Stage): Promise<void> {
  const { region } = await openWithCloud(stage);
  const send = createSend(stage, region);
  const token = await makeToken(send, region.servers[0] as ClusterServer, { policies: ['work'] });
  for (let round = 0; round < 24; round += 1) {
    const at = (shift: number): ClusterServer => region.servers[(round + shift) % 3] as ClusterServer;
    const capability = round % 2 === 0 ? 'read' : 'deny';
    const policy = `path "sys/auth" { capabilities = ["${capability}"] }`;
    await send(at(0), 'PUT', 'sys/policies/acl/work', { policy });
    await send(at(1), 'PUT', 'auth/cloud/role/dev', roleOf({ token_max_ttl: 100 + round }));
    await send(at(2), 'PUT', 'auth/cloud/config', { max_retries: round % 5 });
    for (const server of region.servers) {
      const allowed = await send(server, 'GET', 'sys/auth', undefined, token);
      stage.expect(allowed, round % 2 === 0 ? 200 : 403, `a request under the policy of round ${round}`);
      const role = await send(server, 'GET', 'auth/cloud/role/dev');
      stage.check(role.text.includes(`"token_max_ttl":${100 + round}`), `the role is ${role.text}`);
      const config = await send(server, 'GET', 'auth/cloud/config');
      stage.check(config.text.includes(`"max_retries":${round % 5}`), `the configuration is ${config.text}`);
    }
  }
}

/** Batch tokens are stored nowhere: they are good at every server, and end with their role at all of them. */
async function useBatchTokens(stage: Stage): Promise<void> {
  const { region, cloud } = await openWithCloud(stage);
  const send = createSend(stage, region);
  const [first, second, third] = region.servers as unknown as Three;
  await send(first, 'PUT', 'sys/policies/acl/work', {
    policy: 'path "sys/auth" { capabilities = ["read"] }',
  });
  for (const round of [1, 2]) {
    await send(second, 'PUT', 'auth/cloud/role/dev', roleOf({ token_type: 'batch' }));
    const tokens = await Promise.all(region.servers.map((server) => logIn(send, server, cloud, 'dev')));
    for (const server of region.servers)
      for (const token of tokens)
        stage.expect(await send(server, 'GET', 'sys/auth', undefined, token), 200, 'a batch token');
    if (round === 2) await (await region.whole()).kill();
    await removeRole(send, third, first);
    await send(first, 'PUT', 'auth/cloud/role/dev', roleOf({ token_type: 'batch' })).catch(() => null);
    for (const server of region.servers)
      for (const token of tokens) {
        const response = await lookUp(send, server, token).catch(() => null);
        stage.check(response === null || response.status === 403, `ended with its role: ${response?.status}`);
      }
  }
}

/** At whichever of two servers is left. */
async function removeRole(send: SendRequest, ...servers: readonly ClusterServer[]): Promise<void> {
  for (let at = 0; ; at += 1) {
    const server = servers[at % servers.length] as ClusterServer;
    const response = await send(server, 'DELETE', 'auth/cloud/role/dev').catch(() => null);
    if (response?.status === 204) return;
    await pause(50);
  }
}

/** A token that is bound to an address is good from there alone, whichever server passes it on. */
async function retainAddresses(stage: Stage): Promise<void> {
  const { region, cloud } = await openWithCloud(stage);
  const [bound, other] = ['127.0.0.5', '127.0.0.6'].map((address) => createSend(stage, region, address));
  if (bound === undefined || other === undefined) return;
  const [first] = region.servers as unknown as Three;
  await bound(first, 'PUT', 'auth/cloud/role/dev', roleOf({ token_bound_cidrs: ['127.0.0.5/32'] }));
  for (const server of region.servers) {
    const token = await logIn(bound, server, cloud, 'dev');
    const jwt = await cloud.token();
    for (const each of region.servers) {
      stage.expect(await lookUp(bound, each, token), 200, 'from the address of the bound');
      stage.expect(await lookUp(other, each, token), 403, 'from another address');
    }
    const login = await other(server, 'POST', 'auth/cloud/login', { role: 'dev', jwt }, null);
    stage.check(
      login.status !== 200 || (await lookUp(other, server, tokenIn(login.text))).status === 403,
      'used',
    );
  }
}

function tokenIn(text: string): string {
  return (JSON.parse(text) as { readonly auth: { readonly client_token: string } }).auth.client_token;
}

interface AuditLine {
  readonly type: string;
  readonly request?: { readonly id: string; readonly path: string; readonly client_token: string | null };
}

function readAudit({ auditFile }: ClusterServer): readonly AuditLine[] {
  const lines = readFileSync(auditFile, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditLine);
}

/** Each server records its requests in a separate file, and sends no response that it could not record. */
async function auditHops(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [requested = active, other = active] = standby;
  const token = await makeToken(send, active);
  const { request_id: id } = bodyOf(await lookUp(send, requested, token));
  const linesAt = (server: ClusterServer): readonly AuditLine[] =>
    readAudit(server).filter(({ request }) => request?.id === id);
  const [here, there] = [linesAt(requested), linesAt(active)];
  stage.check(here.length === 2, `the server that was asked has ${here.length} lines of the request, not 2`);
  stage.check(
    there.length === 2,
    `the server that responded has ${there.length} lines of the request, not 2`,
  );
  stage.check(linesAt(other).length === 0, 'a server that was not asked has lines of the request');
  const hashes = [...here, ...there].map(({ request }) => request?.client_token);
  stage.check(new Set(hashes).size === 1, `the hash of one token is not one: ${hashes.join(', ')}`);
  for (const server of region.servers) {
    const text = readFileSync(server.auditFile, 'utf8');
    stage.check(!text.includes(token) && !text.includes(region.rootToken), 'a token stands in an audit log');
  }
  await refuseUnrecorded(stage, send, requested, other);
  await refuseUnrecorded(stage, send, active, active);
  await region.whole();
}

async function refuseUnrecorded(
  stage: Stage,
  send: SendRequest,
  server: ClusterServer,
  other: ClusterServer,
): Promise<void> {
  const path = 'sys/policies/acl/unrecorded';
  limitFiles(server, statSync(server.auditFile).size);
  stage.expect(await send(server, 'PUT', path, { policy: '' }), 500, 'what cannot be recorded');
  stage.expect(await send(server, 'GET', 'sys/policies/acl/default'), 500, 'what cannot be recorded');
  if (other !== server) {
    stage.expect(await send(other, 'GET', path), 404, 'what could not be recorded');
    stage.expect(await send(other, 'GET', 'sys/policies/acl/default'), 200, 'at a server that can record');
  }
  stage.expect(await send(server, 'GET', 'sys/health'), 503, 'the health of a server that cannot record');
  limitFiles(server, 'unlimited');
  while ((await send(server, 'GET', 'sys/policies/acl/default')).status !== 200) await pause(50);
  stage.expect(await send(server, 'GET', path), 404, 'what could not be recorded, afterwards');
}

export const lawCases: readonly ClusterCase[] = [
  { name: 'policies, roles and configurations are in force at once', play: changeEverywhere },
  { name: 'batch tokens are good everywhere, and end everywhere', play: useBatchTokens },
  { name: 'tokens are bound to addresses over the hop', play: retainAddresses },
  { name: 'the audit log has each hop, and what cannot be recorded has no response', play: auditHops },
];
