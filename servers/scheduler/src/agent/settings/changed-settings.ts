import { isDeepStrictEqual } from 'node:util';
import type { GivenSettings } from '@tamis/config';

/** Returns the paths of settings that changed or were removed. */
export function changedSettings(before: GivenSettings, now: GivenSettings): readonly string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return paths.filter((path) => !isDeepStrictEqual(before[path]?.value, now[path]?.value)).sort();
}
