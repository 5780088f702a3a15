import { styleText } from 'node:util';

/** Colours of one stream; each returns its argument unchanged if colours are off. */
export type Palette = ReturnType<typeof createPalette>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a stream has colours: on a terminal that supports them, unless NO_COLOR is set. */
export function usesColour(isTerminal: boolean, { NO_COLOR, TERM }: Environment): boolean {
  return isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

export function createPalette(hasColours: boolean) {
  const paint =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      hasColours && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: paint('green'),
    bad: paint('red'),
    waiting: paint('yellow'),
    faint: paint('dim'),
    strong: paint('bold'),
  };
}

const moods: ReadonlyMap<string, keyof Palette> = new Map([
  ...['running', 'ready', 'eligible', 'successful', 'complete', 'healthy', 'alive', 'yes'].map(
    (word) => [word, 'good'] as const,
  ),
  ...['failed', 'lost', 'down', 'unhealthy', 'disconnected', 'error'].map((word) => [word, 'bad'] as const),
  ...['pending', 'paused', 'blocked', 'draining', 'ineligible', 'initializing', 'unknown', 'leaving'].map(
    (word) => [word, 'waiting'] as const,
  ),
  ...['dead', 'stop', 'canceled', 'cancelled', 'left'].map((word) => [word, 'faint'] as const),
]);

/** Returns a status in the colour of its health. */
export function paintStatus(status: string, palette: Palette): string {
  const mood = moods.get(status);
  return mood === undefined ? status : palette[mood](status);
}
