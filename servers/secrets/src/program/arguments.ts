import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command of the command line. */
export type Command =
  | { readonly kind: 'server'; readonly configFiles: readonly string[]; readonly dev: DevMode | null }
  | { readonly kind: 'init'; readonly address: string | null }
  | {
      readonly kind: 'unseal' | 'generate-root';
      readonly address: string | null;
      readonly keyFile: string | null;
    }
  | {
      readonly kind: 'rekey';
      readonly address: string | null;
      readonly keyFile: string | null;
      /** Step of the key change. `confirm` needs the next key, `cancel` none. */
      readonly step: 'begin' | 'confirm' | 'cancel';
    }
  | { readonly kind: 'restore'; readonly configFiles: readonly string[]; readonly from: string }
  | {
      readonly kind: 'migrate';
      readonly from: string;
      readonly configFiles: readonly string[];
      readonly keyFile: string | null;
    }
  | { readonly kind: 'help'; readonly of: CommandName | null }
  | { readonly kind: 'version' };

/** Options of a development server, which is in memory and unsealed. */
export interface DevMode {
  /** The ID of the root token; null to read it from the environment or to generate it. */
  readonly rootTokenId: string | null;
  /** The address to listen on; null for that in the configuration. */
  readonly address: { readonly host: string; readonly port: number } | null;
}

/** Error for an invalid command line. The message names the valid form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  config: { type: 'string', multiple: true },
  dev: { type: 'boolean' },
  'dev-root-token-id': { type: 'string' },
  'dev-listen-address': { type: 'string' },
  address: { type: 'string' },
  'key-file': { type: 'string' },
  confirm: { type: 'boolean' },
  cancel: { type: 'boolean' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options'];

/** Usage lines of each command. */
const usage = {
  server: `  secrets server --dev [--dev-root-token-id ID] [--dev-listen-address HOST:PORT] [--config FILE]
  secrets server --config FILE [--config FILE]...
`,
  init: `  secrets init [--address URL]                      once: prints the unseal key and the root token
`,
  unseal: `  secrets unseal [--address URL] [--key-file FILE]  after each start
`,
  'generate-root': `  secrets generate-root [--address URL] [--key-file FILE]    a new root token, for the holder of the unseal key
`,
  rekey: `  secrets rekey [--address URL] [--key-file FILE]            a next unseal key; both open the store until
  secrets rekey --confirm [--address URL] [--key-file FILE]  ends the one before, with the next one as the key
  secrets rekey --cancel [--address URL]                     ends the next one: the key stays as it is
`,
  restore: `  secrets restore --from FILE --config FILE                  fills a new store from a backup, while no server runs
`,
  migrate: `  secrets operator migrate --from FILE --config FILE [--key-file FILE]  copies the store of one configuration, sealed,
                                                    into the new one of another, and compares the two
`,
} as const;

type CommandName = keyof typeof usage;

const isCommandName = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(usage, name);

/** Returns the help of one command, or of all commands (null). */
export function helpOf(name: CommandName | null): string {
  return name === null
    ? `secrets - workloads trade the identity that their cloud gives them for a client token

usage:
${Object.values(usage).join('')}  secrets version | --help | COMMAND --help
${rest}`
    : `usage:
${usage[name]}
secrets --help has all commands, a configuration to begin with, the signals and the variables of the environment.
`;
}

const rest = `
try it, in memory, nothing is stored:
  secrets server --dev --dev-root-token-id try-me
  curl -H 'X-Secrets-Token: try-me' http://127.0.0.1:8200/v1/auth/token/lookup-self
  The page at http://127.0.0.1:8200/ tries a login.

run it, encrypted on disk:
  storage "lmdb" { path = "/var/lib/secrets" }
  listener "tcp" {
    address       = "0.0.0.0:8200"
    tls_cert_file = "/etc/secrets/cert.pem"
    tls_key_file  = "/etc/secrets/key.pem"
    custom_response_headers {
      "default" = { "Content-Security-Policy" = ["default-src 'self'"] }
      "3xx"     = { "X-Custom-Header" = ["moved"] }
      "404"     = { "X-Custom-Header" = ["not", "here"] }
    }
  }
  audit "file" { path = "/var/log/secrets/audit.log" }
  auth "cloud" { path = "cloud" }
  Then run secrets init, store its output, and run secrets unseal. With seal { key_file = "..." } the server unseals itself at start.

while it runs:
  SIGHUP   reads response headers, certificates and log level again, and reopens the audit log
  SIGUSR1  reopens the audit log only
  SIGTERM  finishes the responses in progress and stops

environment:
  SECRETS_ADDR               instead of --address
  SECRETS_TOKEN              for rekey
  SECRETS_UNSEAL_KEY         instead of --key-file, and for a server at its start
  SECRETS_DEV_ROOT_TOKEN_ID  for --dev
  CLOUD_TENANT_ID, CLOUD_AD_RESOURCE, CLOUD_ENVIRONMENT, CLOUD_CLIENT_ID, CLOUD_CLIENT_SECRET
                             if the config omits them
  each of them but SECRETS_ADDR may be in a file, which NAME_FILE names: it must not be readable by everyone
`;

/**
 * Parses the command line without the program name.
 *
 * @throws UsageError
 */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args);
  if (values.version === true || positionals[0] === 'version') return { kind: 'version' };
  if (values.help === true || positionals.length === 0 || positionals[0] === 'help') {
    const of = positionals.find((word) => word !== 'operator' && word !== 'help');
    return { kind: 'help', of: isCommandName(of) ? of : null };
  }
  const isOperator = positionals[0] === 'operator';
  const [command = '', ...rest] = isOperator ? positionals.slice(1) : positionals;
  if (isOperator && command !== 'migrate') throw new UsageError('secrets operator has one command: migrate');
  if (rest.length > 0) throw new UsageError(`Unexpected "${rest.join(' ')}" after ${command}`);
  switch (command) {
    case 'server':
      return serverCommand(values);
    case 'init':
      return { kind: 'init', address: values.address ?? null };
    case 'unseal':
    case 'generate-root':
      return { kind: command, address: values.address ?? null, keyFile: values['key-file'] ?? null };
    case 'rekey':
      return rekeyCommand(values);
    case 'restore':
      return restoreCommand(values);
    case 'migrate':
      return migrateCommand(values);
    default:
      throw new UsageError(`There is no command "${command}": try secrets server --dev`);
  }
}

type Parsed = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;

/** Parses the options. Long options may also begin with a single hyphen, as in Vault. */
function readOptions(args: readonly string[]): Parsed {
  const long = args.map((argument) => argument.replace(/^-(?=[a-z][a-z-]+)/, '--'));
  try {
    return parseArgs({ args: long, options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence is used, because the others are about the parser.
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1);
    throw new UsageError(problem);
  }
}

function serverCommand(values: Parsed['values']): Command {
  const configFiles = values.config ?? [];
  if (values.dev === true) {
    const rootTokenId = values['dev-root-token-id'] ?? null;
    return { kind: 'server', configFiles, dev: { rootTokenId, address: devAddress(values) } };
  }
  if (values['dev-root-token-id'] !== undefined || values['dev-listen-address'] !== undefined) {
    throw new UsageError('--dev-root-token-id and --dev-listen-address go with --dev');
  }
  if (configFiles.length > 0) return { kind: 'server', configFiles, dev: null };
  throw new UsageError('A server needs --config FILE, or --dev to try it in memory');
}

function rekeyCommand({ address, cancel, confirm, 'key-file': keyFile }: Parsed['values']): Command {
  if (cancel === true && confirm === true)
    throw new UsageError('rekey takes --confirm or --cancel, not both');
  const step = cancel === true ? 'cancel' : confirm === true ? 'confirm' : 'begin';
  return { kind: 'rekey', address: address ?? null, keyFile: keyFile ?? null, step };
}

function restoreCommand({ config = [], from }: Parsed['values']): Command {
  if (from === undefined) throw new UsageError('restore needs --from FILE, a backup');
  if (config.length > 0) return { kind: 'restore', configFiles: config, from };
  throw new UsageError('restore needs the --config FILE of the server: it names the store');
}

function migrateCommand({ config = [], from, 'key-file': keyFile }: Parsed['values']): Command {
  if (from === undefined || config.length === 0) {
    throw new UsageError(
      'operator migrate needs --from FILE and --config FILE, the configurations of the store and of the new one',
    );
  }
  return { kind: 'migrate', from, configFiles: config, keyFile: keyFile ?? null };
}

function devAddress(values: Parsed['values']): DevMode['address'] {
  const written = values['dev-listen-address'];
  if (written === undefined) return null;
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(written) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(digits) <= 65_535) return { host, port: Number(digits) };
  throw new UsageError(
    `--dev-listen-address must be an address with a port, such as 127.0.0.1:8200, got "${written}"`,
  );
}
