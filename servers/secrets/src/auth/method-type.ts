import { block, converted, int, text, type Block, type Fields, type Reader } from '@tamis/config';
import type { Clock } from '../base/clock.js';
import { foldName } from '../base/fold.js';
import type { Logger } from '../base/logger.js';
import type { Storage } from '../storage/storage.js';
import { defaultLoginLimits, type LoginLimits } from './login-limits.js';
import type { AuthMethod } from './method.js';

/** The surroundings that a mounted method is made in. */
export interface MethodContext {
  /** That of the mount alone. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** The environment variables that any method of this server reads. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Seconds that the system lets a token live at most. */
  readonly maxLeaseSeconds: number;
  /** Ends the batch tokens of a role, which has been removed. */
  readonly endRole: (role: string) => Promise<void>;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly uuid: () => string;
}

/** A mount of an auth method as it is configured. */
export interface AuthMount {
  /** The name of the method, such as `cloud`. */
  readonly type: string;
  /** One line for `sys/auth`. */
  readonly description: string;
  /** Below `auth/`. */
  readonly path: string;
  readonly login: LoginLimits;
  /** Stored tokens of one identity that are alive at once, 0 for any number. Stops one workload from filling the disk. */
  readonly maxTokensPerIdentity: number;
  /** The settings of the method itself, by their names in the file. */
  readonly settings: Readonly<Record<string, unknown>>;
  createMethod(context: MethodContext): AuthMethod;
}

/** A type of auth methods: what blocks `auth "name" { ... }` mount. */
export interface AuthMethodType {
  readonly name: string;
  /** Environment variables that are fallbacks for unstored values; each may be in a file, see `takeVariable`. */
  readonly variables: readonly string[];
  /** Reads one block. */
  readonly block: Reader<AuthMount>;
}

export interface AuthMethodDefinition<F extends Fields> extends Omit<AuthMethodType, 'block'> {
  readonly description: string;
  /** The settings of its own that a block may have, in addition to those of every mount. */
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

/** Makes a type of methods, and `mount`, which mounts one without a file. */
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
      // Each value was made by the reader of its field, of the one set or of the other.
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

/** Maximum length of a mount path, in characters. With the longest name appended, it still fits in a request. */
const maxMountPathLength = 512;

function readMountPath(written: string, refuse: (problem: string) => never): string {
  const path = written.replace(/^\/?(?:auth\/)?/, '').replace(/\/$/, '');
  if (!/^[\w-]+(?:\/[\w-]+)*$/.test(path)) return refuse('expected a path such as "cloud" or "team/cloud"');
  if (path.length > maxMountPathLength)
    return refuse(`is longer than ${maxMountPathLength} characters: expected a path such as "team/cloud"`);
  // Policies ignore case, and treat the segments after auth/token as tokens.
  return /^token(?:\/|$)/.test(foldName(path)) ? refuse('auth/token is the place of tokens') : path;
}
