import { requireExtra, whyExtraMissing } from '../support/extra.js';
import type { ChdbConnection } from './engines.js';

const folder = 'extra/clickhouse';

/** The reason why ClickHouse cannot be tested here; null if it can. */
export const whyNoClickhouse: string | null = whyExtraMissing(folder);

/** Opens a session of ClickHouse in this process, in a temporary folder. */
export function openChdb(): ChdbConnection {
  const { Session } = requireExtra(folder, 'chdb') as { Session: new () => ChdbConnection };
  return new Session();
}
