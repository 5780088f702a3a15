import { isDeepStrictEqual } from 'node:util';
import type { AuthMount } from '../auth/method-type.js';
import type { Certificate, Listener } from '../http/listener.js';
import type { Logger } from '../base/logger.js';
import type { ListenerConfig, ServerConfig, TlsConfig } from './server-config.js';

/** Reads the files of a running server, and receives log messages about a reload. */
interface ReloadDependencies {
  readonly logger: Logger;
  readonly readText: (file: string) => Promise<string>;
  /** Like `readText`, for a file that must not be readable by other users. */
  readonly readSecret: (file: string) => Promise<string>;
}

/**
 * Applies a reloaded configuration as far as a running server can: the headers and certificates of its listeners. The log names
 * all other changes.
 */
export async function reloadConfig(
  listeners: readonly Listener[],
  config: ServerConfig,
  fresh: ServerConfig,
  dependencies: ReloadDependencies,
): Promise<void> {
  const { logger } = dependencies;
  for (const [at, listener] of listeners.entries()) {
    const settings = sameListener(fresh, config.listeners[at], at);
    if (settings === null) {
      logger.warn({ listener: at }, 'this listener is not in the file any more: it stays until a restart');
    } else {
      listener.replaceHeaders(settings.headers);
      await reloadCertificate(listener, settings.tls, at, dependencies);
    }
  }
  for (const setting of changedInVain(config, fresh)) {
    logger.warn({ setting }, `${setting} has changed in the file: that takes a restart`);
  }
}

/** Whether two listeners are the same: they have the same index and the same address. */
function sameListener(
  { listeners }: ServerConfig,
  old: ListenerConfig | undefined,
  at: number,
): ListenerConfig | null {
  const fresh = listeners[at];
  return fresh?.host === old?.host && fresh?.port === old?.port ? (fresh ?? null) : null;
}

/** Returns the names of changed settings that take effect only after a restart. */
function changedInVain(config: ServerConfig, fresh: ServerConfig): readonly string[] {
  const settings: readonly (readonly [name: string, of: (config: ServerConfig) => unknown])[] = [
    ['storage', ({ storage: { driver, settings } }) => [driver, settings]],
    ['seal', ({ unsealKeyFile }) => unsealKeyFile],
    ['audit', ({ auditFile }) => auditFile],
    ['ui', ({ ui }) => ui],
    ['default_lease_ttl or max_lease_ttl', ({ lease }) => lease],
  ];
  const changed = settings
    .filter(([, of]) => !isDeepStrictEqual(of(config), of(fresh)))
    .map(([name]) => name);
  const listeners = config.listeners.flatMap((old, at) => {
    const now = sameListener(fresh, old, at);
    return now === null || isDeepStrictEqual(fixedPart(old), fixedPart(now)) ? [] : [`listener ${at + 1}`];
  });
  const added = fresh.listeners.length > config.listeners.length ? ['the number of listeners'] : [];
  return [...changedMounts(config.auth, fresh.auth), ...changed, ...listeners, ...added];
}

/** Returns the names of changed mounts. Mounts are identified by their paths, so the order of blocks does not matter. */
function changedMounts(old: readonly AuthMount[], fresh: readonly AuthMount[]): readonly string[] {
  const paths = [...new Set([...old, ...fresh].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const [mount, now] = [old, fresh].map((mounts) => mounts.find((each) => each.path === path));
    if (mount === undefined || now?.type !== mount.type) return [`the mount auth/${path}`];
    return changedSettings(mount, now).map((name) => `auth/${path}: ${name}`);
  });
}

function changedSettings(old: AuthMount, now: AuthMount): readonly string[] {
  const limits: readonly (readonly [name: string, isSame: boolean])[] = [
    ['auth.max_tokens_per_identity', old.maxTokensPerIdentity === now.maxTokensPerIdentity],
    ['a limit of logins in auth', isDeepStrictEqual(old.login, now.login)],
  ];
  const own = Object.keys(old.settings)
    .filter((name) => !isDeepStrictEqual(old.settings[name], now.settings[name]))
    .map((name) => `auth.${name}`);
  return [...limits.flatMap(([name, isSame]) => (isSame ? [] : [name])), ...own];
}

/** Returns the settings of a listener that take effect only after a restart: all except headers and certificate. */
function fixedPart(listener: ListenerConfig): unknown {
  return { ...listener, headers: null, tls: listener.tls?.minVersion ?? null };
}

/** Reads the certificate of a listener from its files; null for plain HTTP. */
export async function readTls(
  tls: TlsConfig | null,
  { readText, readSecret }: Pick<ReloadDependencies, 'readText' | 'readSecret'>,
): Promise<{ certificate: Certificate; minVersion: TlsConfig['minVersion'] } | null> {
  if (tls === null) return null;
  const [cert, key] = await Promise.all([readText(tls.certFile), readSecret(tls.keyFile)]);
  return { certificate: { cert, key }, minVersion: tls.minVersion };
}

/**
 * Replaces a certificate. Keeps the old one if the new one cannot be used, because a reload must not take a listener out of
 * service.
 */
async function reloadCertificate(
  listener: Listener,
  tls: TlsConfig | null,
  at: number,
  dependencies: ReloadDependencies,
): Promise<void> {
  try {
    const read = await readTls(tls, dependencies);
    if (read !== null) listener.replaceCertificate(read.certificate);
  } catch (error) {
    dependencies.logger.error(
      { err: error, listener: at },
      'the certificate cannot be read: the old one stays',
    );
  }
}
