// The words of the table, by row.
export const rows = {
  1: ['question', 'questions'],
  2: ['answer', 'answers', 'answered', 'answering', 'answerable', 'answerer'],
  3: ['ask', 'asks', 'asked', 'asking', 'asker'],
  4: ['told', 'tell', 'tells', 'telling'],
  5: ['most'],
  6: ['longest', 'largest'],
  7: ['least'],
  8: ['usual', 'usually'],
  9: ['patience', 'patient'],
  12: ['held', 'hold', 'holds', 'holder', 'holders', 'holding'],
  13: ['kept', 'keep', 'keeps', 'keeper', 'keepers', 'keeping'],
  14: ['behind'],
  15: ['wanted', 'want', 'wants'],
  16: ['shown', 'show', 'shows', 'showing'],
};
const rowOfWord = new Map(
  Object.entries(rows).flatMap(([row, words]) => words.map((word) => [word, Number(row)])),
);

/** Words of a name: `readHTTPAnswer` has read, http and answer. */
export function wordsOf(name) {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** First row of the table whose word is part of the name. */
export function rowOf(name) {
  for (const word of wordsOf(name)) {
    const row = rowOfWord.get(word);
    if (row !== undefined) return row;
  }
  return undefined;
}
