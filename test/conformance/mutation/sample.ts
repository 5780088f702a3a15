import type { Case, Suite } from '../../../conformance/src/data.mjs';

/** Cases of a sentence that are put first. */
const perSentence = 12;

/** Some cases of each sentence, evenly spread over those that it has, in the order of the suite. */
export function sampleOf({ cases }: Suite): readonly Case[] {
  const bySentence = new Map<string, Case[]>();
  for (const each of cases) {
    for (const name of each.sentences) {
      const found = bySentence.get(name);
      if (found === undefined) bySentence.set(name, [each]);
      else found.push(each);
    }
  }
  const chosen = new Set<Case>();
  for (const found of bySentence.values()) {
    const step = Math.max(1, found.length / perSentence);
    for (let at = 0; at < found.length; at += step) chosen.add(found[Math.floor(at)] as Case);
  }
  return cases.filter((each) => chosen.has(each));
}
