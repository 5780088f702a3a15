import type { Given } from './given.js';
import type { Session } from './session.js';

/** The source of completions: names from the server, files, fields of a list, or words. */
export type CompletionSource =
  | 'files'
  | 'jobs'
  | 'allocations'
  | 'nodes'
  | 'deployments'
  | 'evaluations'
  | 'policies'
  | 'tokens'
  | 'namespaces'
  | 'regions'
  | 'any-id'
  | 'filter'
  | 'sort'
  | readonly string[];

/** A positional argument. */
export interface PositionalSpec {
  /** As the usage shows it, such as `JOB`. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: true;
  /** The last one may be repeated. */
  readonly repeats?: true;
  readonly complete?: CompletionSource;
}

/** A flag. `value` is the placeholder in the help for a flag that takes a value. */
export interface FlagSpec {
  readonly short?: string;
  readonly value?: string;
  readonly repeats?: true;
  /** The next word is its value, whatever that begins with: `--sort -SubmitTime`. */
  readonly mayBeginWithDash?: true;
  /** The count of the long name without a value; an explicit value overrides it. */
  readonly alone?: number;
  readonly help: string;
  readonly complete?: CompletionSource;
}

export type FlagTable = Readonly<Record<string, FlagSpec>>;

/** Lists of the API, by the names of their resources. */
export type ListName =
  | 'jobs'
  | 'nodes'
  | 'allocations'
  | 'deployments'
  | 'evaluations'
  | 'namespaces'
  | 'acl_tokens'
  | 'acl_policies';

/** All that there is to know of a command, but its code. */
interface AnyCommand {
  /** The words that call it, such as `job run`. */
  readonly path: string;
  /** What it does, for an overview: one line. */
  readonly summary: string;
  readonly positionals?: readonly PositionalSpec[];
  /** A function if they come from a table that is loaded lazily. */
  readonly flags?: FlagTable | (() => Promise<FlagTable>);
  /** The details in the help after the summary: paragraphs of at most 118 columns. */
  readonly about?: string;
  /** Command lines with what they do. */
  readonly examples?: readonly (readonly [line: string, what: string])[];
}

/** A command that calls an agent over its public API. */
export interface ClientCommand extends AnyCommand {
  readonly kind?: 'client';
  /** The list that `--filter` and `--sort` are about. */
  readonly list?: ListName;
  /** Loads the code lazily, so that commands do not wait for that of others. */
  readonly load: () => Promise<RunCommand>;
}

/** A command about this machine. The process has its code. */
export interface LocalCommand extends AnyCommand {
  readonly kind: 'local';
  readonly path: LocalPath;
}

export type LocalPath =
  | 'agent'
  | 'check'
  | 'import'
  | 'export'
  | `operator ${'servers' | 'snapshot save' | 'snapshot restore'}`
  | 'completion'
  | 'version'
  | 'help';

export type CommandSpec = ClientCommand | LocalCommand;

/** Runs a command that calls an agent. @returns the exit code; 0 if it returns none. */
export type RunCommand = (session: Session, given: Given) => Promise<number | void>;
