import type { Server } from './leadership.js';

/**
 * Settings that must be equal on all servers of one state. Each server handles reads and checks rights itself, so one server must
 * not allow what another denies.
 */
export interface SharedSettings {
  readonly region: string;
  /** Whether requests need ACL tokens. */
  readonly acl: boolean;
  /** Whether servers authenticate each other. */
  readonly mutualTls: boolean;
  /** Number of the row format in the store. */
  readonly format: number;
}

/** Setting names as operators know them. */
const settingNames: Readonly<Record<keyof SharedSettings, string>> = {
  region: 'region',
  acl: 'acl.enabled',
  mutualTls: 'mutual TLS between servers (tls.rpc with tls.ca_file)',
  format: 'the form of the store',
};

/** Error of a server that must not join because one of these settings differs. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError';
}

/**
 * Returns why a server must not share state with the given ones; null if it may. Servers of earlier versions do not report
 * settings.
 */
export function disagreement(
  own: SharedSettings,
  others: readonly (Server & { readonly settings?: SharedSettings })[],
): DisagreementError | null {
  for (const { address, name, settings } of others) {
    if (settings === undefined) continue;
    for (const key of Object.keys(settingNames) as (keyof SharedSettings)[]) {
      if (settings[key] === own[key]) continue;
      const [here, there] = [own, settings].map((each) => JSON.stringify(each[key]));
      return new DisagreementError(
        `This server does not join: ${settingNames[key]} is ${here} here and ${there} on ${name} (${address}), with which it ` +
          'would share the state. Set it alike on all servers, or name another place in the store',
      );
    }
  }
  return null;
}

/** Returns the reported settings of a server as a field; an empty object if not reported. */
export function readSharedSettings(value: unknown): { readonly settings?: SharedSettings } {
  if (typeof value !== 'object' || value === null) return {};
  const { region, acl, mutualTls, format } = value as Readonly<Record<string, unknown>>;
  if (typeof region !== 'string' || typeof acl !== 'boolean') return {};
  if (typeof mutualTls !== 'boolean' || typeof format !== 'number') return {};
  return { settings: { region, acl, mutualTls, format } };
}
