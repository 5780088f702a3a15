import { block, converted, int, text, type Block, type Fields, type Reader } from '@tamis/config';
import type { Clock } from '../base/clock.js';
import { foldName } from '../base/fold.js';
import type { Logger } from '../base/logger.js';
import type { Storage } from '../storage/storage.js';
import { defaultLoginLimits, type LoginLimits } from './login-limits.js';
import type { AuthMethod } from './method.js';

/** The dependencies of a mounted auth method. */
export interface MethodContext {
  /** The storage of this mount, separate from those of other mounts. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** The environment variables that any method of this server reads. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Maximum token lifetime of the system, in seconds. */
  readonly maxLeaseSeconds: number;
  /** Revokes the batch tokens of a removed role. */
  readonly endRole: (role: string) => Promise<void>;
  readonly logger: Logger;
  /** Returns a uniformly distributed random number in [0, 1). */
  readonly random: () => number;
  readonly uuid: () => string;
}

/** A mount of an auth method as it is configured. */
export interface AuthMount {
  /** The name of the method, such as `cloud`. */
  readonly type: string;
  /** One-line description, shown by `sys/auth`. */
  readonly description: string;
  /** The mount path, without the prefix `auth/`. */
  readonly path: string;
  readonly login: LoginLimits;
  /** Maximum number of unexpired stored tokens per identity; 0 for no limit. Prevents one workload from filling the disk. */
  readonly maxTokensPerIdentity: number;
  /** The settings of the method itself, by their names in the file. */
  readonly settings: Readonly<Record<string, unknown>>;
  createMethod(context: MethodContext): AuthMethod;
}

/** A type of auth method, mounted by `auth "name" { ... }` blocks. */
export interface AuthMethodType {
  readonly name: string;
  /** Environment variables used if a value is not stored. `NAME_FILE` can name a file with the value instead. */
  readonly variables: readonly string[];
  /** Reads one `auth` block. */
  readonly block: Reader<AuthMount>;
}

export interface AuthMethodDefinition<F extends Fields> extends Omit<AuthMethodType, 'block'> {
  readonly description: string;
  /** The settings specific to this method, in addition to those of every mount. */
  readonly fields: F;
  create(settings: Block<F>, context: MethodContext): AuthMethod;
}

const mountFields = {
  path: converted(text(), readMountPath),
  login_rate: int({ min: 1, max: 1_000_000 }),
  login_burst: int({ min: 1, max: 1_000_000 }),
  login_concurrency: int({ min: 1, max: 100_000 }),
  login_concurrency_per_client: int({ min: 1, max: 100_000 }),
  max_tokens_per_identity: int({ min: 0, max: 1_000_000 }),
} satisfies Fields;

type MountValues = Partial<Block<typeof mountFields>>;

const maxTokensPerIdentity = 10_000;

/** Creates an auth method type. `mount` creates a mount without a configuration file. */
export function defineAuthMethod<F extends Fields>(
  definition: AuthMethodDefinition<F>,
): AuthMethodType & { mount(settings: Block<F>, values?: MountValues): AuthMount } {
  const { name, description, variables, fields } = definition;
  const mount = (settings: Block<F>, values: MountValues = {}): AuthMount => ({
    type: name,
    description,
    path: values.path ?? name,
    login: readLimits(values),
    maxTokensPerIdentity: values.max_tokens_per_identity ?? maxTokensPerIdentity,
    settings,
    createMethod: (context) => definition.create(settings, context),
  });
  const own = Object.keys(fields);
  return {
    name,
    variables,
    mount,
    block: converted(block<Fields>({ ...mountFields, ...fields }), (values) => {
      const settings = Object.fromEntries(own.map((field) => [field, values[field]]));
      // This cast is safe: each value was read by the reader of its field.
      return mount(settings as Block<F>, values as MountValues);
    }),
  };
}

function readLimits(values: MountValues): LoginLimits {
  const limits = defaultLoginLimits;
  return {
    ...limits,
    perSecond: values.login_rate ?? limits.perSecond,
    burst: values.login_burst ?? limits.burst,
    concurrent: values.login_concurrency ?? limits.concurrent,
    concurrentPerPeer: values.login_concurrency_per_client ?? limits.concurrentPerPeer,
  };
}

/** Maximum length of a mount path, in characters. Together with the longest name it still fits in a request. */
const maxMountPathLength = 512;

function readMountPath(written: string, refuse: (problem: string) => never): string {
  const path = written.replace(/^\/?(?:auth\/)?/, '').replace(/\/$/, '');
  if (!/^[\w-]+(?:\/[\w-]+)*$/.test(path)) return refuse('expected a path such as "cloud" or "team/cloud"');
  if (path.length > maxMountPathLength)
    return refuse(`is longer than ${maxMountPathLength} characters: expected a path such as "team/cloud"`);
  // Reserved, because policies treat path segments after auth/token as tokens. Case is ignored here as in policies.
  return /^token(?:\/|$)/.test(foldName(path)) ? refuse('auth/token is the place of tokens') : path;
}
