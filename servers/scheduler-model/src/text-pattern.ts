import { compileFilter, defineSchema, t } from 'tamis';
import { where } from 'tamis/builder';

const textSchema = defineSchema({ Text: t.string });

/**
 * Compiles a pattern in RE2 syntax to a predicate on strings. Uses the engine's own matcher, whose time is linear in the string
 * for any pattern.
 *
 * @throws FilterError if the pattern is invalid, too long or too large.
 */
export function compileTextPattern(pattern: string): (text: string) => boolean {
  const filter = compileFilter(where('Text').matches(pattern), { schema: textSchema });
  return (Text) => filter.test({ Text });
}
