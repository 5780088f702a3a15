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
  /** Name in the usage, such as `JOB`. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: true;
  /** Whether it may be repeated; only for the last one. */
  readonly repeats?: true;
  readonly complete?: CompletionSource;
}

/** A flag. `value` is the placeholder in the help for a flag that takes a value. */
export interface FlagSpec {
  readonly short?: string;
  readonly value?: string;
  readonly repeats?: true;
  /** Whether the next word is always its value, even with a dash: `--sort -SubmitTime`. */
  readonly mayBeginWithDash?: true;
  /** Count meant by the long name without a value; an explicit value overrides it. */
  readonly alone?: number;
  readonly help: string;
  readonly complete?: CompletionSource;
}

export type FlagTable = Readonly<Record<string, FlagSpec>>;

/** Names of the API's lists. */
export type ListName =
  | 'jobs'
  | 'nodes'
  | 'allocations'
  | 'deployments'
  | 'evaluations'
  | 'namespaces'
  | 'acl_tokens'
  | 'acl_policies';

/** The declaration of a command, without its code. */
interface AnyCommand {
  /** Words that call it, such as `job run`. */
  readonly path: string;
  /** One-line summary for an overview. */
  readonly summary: string;
  readonly positionals?: readonly PositionalSpec[];
  /** Its flags; a function if their table is loaded lazily. */
  readonly flags?: FlagTable | (() => Promise<FlagTable>);
  /** Details in the help after the summary: paragraphs of at most 118 columns. */
  readonly about?: string;
  /** Example command lines with descriptions. */
  readonly examples?: readonly (readonly [line: string, what: string])[];
}

/** A command that calls an agent over its public API. */
export interface ClientCommand extends AnyCommand {
  readonly kind?: 'client';
  /** The list that `--filter` and `--sort` apply to. */
  readonly list?: ListName;
  /** Loads the code lazily, so that each command loads only its own. */
  readonly load: () => Promise<RunCommand>;
}

/** A command about the local machine, implemented by the program. */
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
