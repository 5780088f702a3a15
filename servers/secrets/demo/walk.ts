/** One thing to do, and the command that does it. */
export interface Step {
  readonly title: string;
  readonly command: string;
}

/** The names and addresses of the demo. */
export interface Scene {
  readonly server: string;
  readonly cloud: string;
  readonly rootToken: string;
  readonly tenant: string;
  readonly subscription: string;
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * From a new server to a token in use, as commands for a shell with curl and sed. Each can be run as it is printed;
 * the later ones go by the variables that the earlier ones set.
 */
export function walk(scene: Scene): readonly Step[] {
  const api = `${scene.server}/v1`;
  const root = `-H 'X-Secrets-Token: ${scene.rootToken}'`;
  const identity = `${scene.cloud}/metadata/identity/oauth2/token?resource=${encodeURIComponent(scene.audience)}`;
  const pick = (field: string): string => `sed -n 's/.*"${field}": *"\\([^"]*\\)".*/\\1/p'`;
  return [
    {
      title: 'Set which tenant the server trusts, for which audience, and how to reach the cloud',
      command: post(`${root} ${api}/auth/cloud/config`, {
        tenant_id: scene.tenant,
        resource: scene.audience,
        client_id: scene.clientId,
        client_secret: scene.clientSecret,
      }),
    },
    {
      title: 'Make a role: machines of one subscription in one place',
      command: post(`${root} ${api}/auth/cloud/role/dev`, {
        bound_subscription_ids: [scene.subscription],
        bound_locations: ['eastus'],
        token_policies: ['dev'],
        token_ttl: '1h',
      }),
    },
    { title: 'Read it', command: `curl -s ${root} ${api}/auth/cloud/role/dev` },
    { title: 'List the roles', command: `curl -s -X LIST ${root} ${api}/auth/cloud/role` },
    {
      title: 'As machine vm1, get an identity token from the cloud',
      command: `JWT=$(curl -s -H 'Metadata: true' '${identity}' | ${pick('access_token')})`,
    },
    {
      title: 'Log in with it; no token of the server is needed for that',
      command: [
        `TOKEN=$(curl -s ${api}/auth/cloud/login -d '{`,
        `  "role": "dev", "jwt": "'$JWT'",`,
        `  "subscription_id": "${scene.subscription}",`,
        `  "resource_group_name": "rg1", "vm_name": "vm1"`,
        `}' | ${pick('client_token')})`,
      ].join('\n'),
    },
    {
      title: 'Use the token: who am I?',
      command: `curl -s -H "X-Secrets-Token: $TOKEN" ${api}/auth/token/lookup-self`,
    },
    {
      title: 'The same machine cannot pass as another one: 403',
      command: [
        `curl -s ${api}/auth/cloud/login -d '{`,
        `  "role": "dev", "jwt": "'$JWT'",`,
        `  "subscription_id": "${scene.subscription}",`,
        `  "resource_group_name": "rg1", "vm_name": "vm2"`,
        `}'`,
      ].join('\n'),
    },
    {
      title: 'Replace the client secret: only the server knows the new one',
      command: `curl -s -X POST ${root} ${api}/auth/cloud/rotate-root`,
    },
    {
      title: 'The configuration without it',
      command: `curl -s ${root} ${api}/auth/cloud/config`,
    },
  ];
}

function post(target: string, body: unknown): string {
  return `curl -s ${target} -d '${JSON.stringify(body)}'`;
}
