import { escapeControls } from '../language/diagnostics/snippet.js';
import { FilterError } from '../index.js';
import { InputError } from './input/raw-row.js';
import { UsageError } from './io.js';
import { paintFrame, type Palette } from './palette.js';

/** The location of an error: the name of the file, and the row if the error concerns a valid row. */
export interface InputLocation {
  readonly file: string | null;
  readonly row: number | null;
  readonly line: number | null;
}

/** An error about an input, with the name of the input. */
export class InputRowError extends Error {
  override readonly name = 'InputRowError';

  constructor(
    readonly reason: InputError | FilterError,
    readonly location: InputLocation,
    /** A hint in addition to the message; null if none exists. */
    readonly hint: string | null = null,
    /** The suggested expression; null if none exists. */
    readonly suggestion: string | null = null,
  ) {
    super(reason.message);
  }
}

/** Whether an error has an explanation for users. Any other error is a bug. */
function isFailure(error: unknown): error is InputRowError | InputError | FilterError | UsageError {
  return [InputRowError, InputError, FilterError, UsageError].some((type) => error instanceof type);
}

/** Formats an error with its frame and hint, ending in a newline. */
export function formatError(error: unknown, palette: Palette): string {
  if (!isFailure(error)) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${palette.error('tamis:')} internal error, please report this bug: ${trace}\n`;
  }
  const reason = error instanceof InputRowError ? error.reason : error;
  const place = error instanceof InputRowError ? `${formatLocation(reason, error.location)}: ` : '';
  const text = reason instanceof FilterError ? paintFrame(reason.report, palette) : reason.message;
  const lines = [`${palette.error('tamis:')} ${place}${text}`];
  if (reason instanceof InputError && reason.frame !== '') lines.push(paintFrame(reason.frame, palette));
  for (const each of new Set([reason, error])) {
    if (!(each instanceof InputError || each instanceof UsageError || each instanceof InputRowError))
      continue;
    if (each.hint !== null) lines.push(`  ${palette.good('hint:')} ${each.hint}`);
  }
  if (error instanceof InputRowError && error.suggestion !== null) {
    lines.push(`  ${palette.good('did you mean:')} ${escapeControls(error.suggestion)}`);
  }
  return `${lines.join('\n')}\n`;
}

function formatLocation(reason: unknown, { file, row, line }: InputLocation): string {
  const parts = [file ?? 'standard input'];
  const place = reason instanceof InputError ? reason.place : { row, line, column: null };
  if (place.line !== null) parts.push(`line ${place.line}`);
  if (place.column !== null) parts.push(`column ${place.column}`);
  if (place.row !== null) parts.push(`row ${place.row}`);
  return parts.join(', ');
}

/** Returns an error as one JSON object. */
export function errorToJSON(error: unknown): object {
  const reason = error instanceof InputRowError ? error.reason : error;
  const where = error instanceof InputRowError ? error.location : null;
  if (reason instanceof FilterError) return { ...where, ...reason.toJSON() };
  if (reason instanceof InputError) {
    const { name, code, message, place, hint } = reason;
    return { file: where?.file ?? null, ...place, name, code, message, hint };
  }
  if (reason instanceof UsageError) {
    return { name: reason.name, code: 'usage', message: reason.message, hint: reason.hint };
  }
  return {
    name: 'Error',
    code: 'internal',
    message: reason instanceof Error ? reason.message : String(reason),
  };
}
