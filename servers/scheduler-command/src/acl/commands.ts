import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const policy = { name: 'NAME', help: 'the name of a policy', complete: 'policies' } as const;
const token = {
  name: 'ACCESSOR',
  help: 'the accessor of a token or its beginning',
  complete: 'tokens',
} as const;

export const aclCommands: readonly ClientCommand[] = [
  {
    path: 'acl bootstrap',
    summary: 'make the first token, which may do everything',
    about:
      'Makes the first management token and shows its secret, this one time. Put it into a file that only you can read.',
    examples: [['scheduler acl bootstrap --json', 'with "SecretID"']],
    load: async () => (await import('./acl-token.js')).bootstrap,
  },
  listCommand('acl policy list'),
  {
    path: 'acl policy read',
    summary: 'a policy with its rules',
    positionals: [policy],
    load: async () => (await import('./acl-policy.js')).readPolicy,
  },
  {
    path: 'acl policy apply',
    summary: 'write a policy',
    positionals: [
      policy,
      { name: 'FILE', help: 'its rules in HCL or JSON, - for standard input', complete: 'files' },
    ],
    flags: { description: { value: 'TEXT', help: 'what it is for' } },
    about: 'Writes a policy, in the place of one of that name.',
    examples: [['scheduler acl policy apply readers readers.hcl', 'namespace "*" { policy = "read" }']],
    load: async () => (await import('./acl-policy.js')).applyPolicy,
  },
  {
    path: 'acl policy delete',
    summary: 'delete a policy',
    positionals: [policy],
    about: 'Deletes a policy. Tokens that name it lose what it gave.',
    load: async () => (await import('./acl-policy.js')).deletePolicy,
  },
  listCommand('acl token list'),
  {
    path: 'acl token read',
    summary: 'a token',
    positionals: [token],
    flags: { secret: { help: 'with its secret' } },
    load: async () => (await import('./acl-token.js')).readToken,
  },
  {
    path: 'acl token self',
    summary: 'the token of this request',
    load: async () => (await import('./acl-token.js')).readSelf,
  },
  {
    path: 'acl token create',
    summary: 'make a token',
    flags: {
      name: { value: 'TEXT', help: 'whose it is' },
      type: {
        value: 'TYPE',
        help: 'client, which is the default, or management',
        complete: ['client', 'management'],
      },
      policy: { value: 'NAME', repeats: true, help: 'a policy of a client token', complete: 'policies' },
      ttl: { value: 'TIME', help: 'how long it lives, such as 8h' },
    },
    about: 'Makes a token and shows its secret.',
    examples: [['scheduler acl token create --name ci --policy readers --ttl 8h', 'for a day of work']],
    load: async () => (await import('./acl-token.js')).createToken,
  },
  {
    path: 'acl token delete',
    summary: 'delete a token',
    positionals: [token],
    about: 'Deletes a token: it can no longer be used.',
    load: async () => (await import('./acl-token.js')).deleteToken,
  },
];
