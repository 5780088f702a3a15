/** Maximum columns of a row, after an indentation of two. */
const lineLength = 116;

/** Returns rows of two columns, the first with this width; long cells wrap below their start. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const margin = ' '.repeat(width);
  return rows
    .flatMap(([left, right]) => {
      const lines = left.length < width ? [left.padEnd(width)] : [left, margin];
      for (const word of right.split(' ')) {
        const line = lines.at(-1) ?? '';
        const blank = line.length === width ? '' : ' ';
        if (line.length + blank.length + word.length <= lineLength)
          lines[lines.length - 1] = line + blank + word;
        else lines.push(margin + word);
      }
      return lines.map((line) => `  ${line}\n`);
    })
    .join('');
}
