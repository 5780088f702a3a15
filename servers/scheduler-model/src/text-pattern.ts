import { compileFilter, defineSchema, t } from 'tamis';
import { where } from 'tamis/builder';

const textSchema = defineSchema({ Text: t.string });

/**
 * A pattern in RE2's syntax as a test of texts. The matcher is the engine's own, which takes time linear in the text
 * whatever the pattern is.
 *
 * @throws FilterError for a pattern that is none, or that is too long or too large.
 */
export function compileTextPattern(pattern: string): (text: string) => boolean {
  const filter = compileFilter(where('Text').matches(pattern), { schema: textSchema });
  return (Text) => filter.test({ Text });
}
