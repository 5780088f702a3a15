import picocolors from 'picocolors';
import type { Io, Output } from './io.js';

/** Colours for one stream; each function returns its string unchanged if colours are off. */
export interface Palette {
  readonly error: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

/** Returns colours for a terminal that supports them, unless NO_COLOR is set. FORCE_COLOR enables them everywhere. */
export function paletteFor(output: Pick<Output, 'isTerminal'>, env: Io['env']): Palette {
  const { red, green, dim, bold } = picocolors.createColors(usesColour(output, env));
  return { error: (text) => bold(red(text)), good: green, faint: dim, strong: bold };
}

export function usesColour(output: Pick<Output, 'isTerminal'>, env: Io['env']): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return output.isTerminal && TERM !== 'dumb';
}

/** Colours the carets of a frame and the label after them, and dims the gutter. */
export function paintFrame(frame: string, palette: Palette): string {
  return frame
    .split('\n')
    .map((line) => {
      const hint = /^( *hint:)(.*)$/.exec(line);
      if (hint) return `${palette.good(hint[1] ?? '')}${hint[2] ?? ''}`;
      return line
        .replace(
          /^( *\d* \|)( *)(\^.*)$/,
          (_, gutter: string, gap: string, carets: string) => gutter + gap + palette.error(carets),
        )
        .replace(/^ *\d* \|/, (gutter) => palette.faint(gutter));
    })
    .join('\n');
}
