import type { Server } from './leadership.js';

/**
 * The settings that all servers of one state must have alike: each answers reads and judges rights by itself, and what one
 * of them refuses another must not do.
 */
export interface SharedSettings {
  readonly region: string;
  /** Whether tokens are asked for. */
  readonly acl: boolean;
  /** Whether servers prove themselves to each other. */
  readonly mutualTls: boolean;
  /** The form of the rows in the store. */
  readonly format: number;
}

/** Settings as operators name them. */
const settingNames: Readonly<Record<keyof SharedSettings, string>> = {
  region: 'region',
  acl: 'acl.enabled',
  mutualTls: 'mutual TLS between servers (tls.rpc with tls.ca_file)',
  format: 'the form of the store',
};

/** A server must not join: a setting differs that has to agree. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError';
}

/**
 * Why a server must not share a state with one of these; null where it may. Servers of earlier versions do not tell their
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

/** The settings that a server has told, as a field; none where it has not. */
export function readSharedSettings(value: unknown): { readonly settings?: SharedSettings } {
  if (typeof value !== 'object' || value === null) return {};
  const { region, acl, mutualTls, format } = value as Readonly<Record<string, unknown>>;
  if (typeof region !== 'string' || typeof acl !== 'boolean') return {};
  if (typeof mutualTls !== 'boolean' || typeof format !== 'number') return {};
  return { settings: { region, acl, mutualTls, format } };
}
