const plain = /^[ -~]*$/;

/**
 * A name as it is compared: `Dev` and `dev` are one. Letters that look the same or have one capital fold to one text
 * too, the Kelvin sign to `k` and the long s to `s`: a policy that denies a name denies all its spellings. Which
 * spellings are names at all is decided on the text as it was sent: those have plain letters alone.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.toLowerCase();
  // Down first: the capital sharp s is two letters only by way of its small one.
  const cased = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const folded = cased.normalize('NFKC');
  // The small sigma is the one letter that depends on the character after it.
  return folded.replaceAll('ς', 'σ');
}
