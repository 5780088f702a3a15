import type { Given } from './given.js';
import type { Session } from './session.js';

/** The source of what can be completed: names that the server tells, files, fields of a list, or words. */
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

/** An argument that stands by its place. */
export interface PositionalSpec {
  /** As the usage shows it, such as `JOB`. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: true;
  /** The last one may stand for several. */
  readonly repeats?: true;
  readonly complete?: CompletionSource;
}

/** A flag. One with a `value` takes one, for which the word stands in the help. */
export interface FlagSpec {
  readonly short?: string;
  readonly value?: string;
  readonly repeats?: true;
  /** The next word is its value, whatever that begins with: `--sort -SubmitTime`. */
  readonly mayBeginWithDash?: true;
  /** The count that the long name alone stands for; where another one is given, that counts. */
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
  /** A function where they come from a table that not every command waits for. */
  readonly flags?: FlagTable | (() => Promise<FlagTable>);
  /** What the help tells beyond the summary: paragraphs of at most 118 columns. */
  readonly about?: string;
  /** Command lines with what they do. */
  readonly examples?: readonly (readonly [line: string, what: string])[];
}

/** A command that asks an agent over its public API. */
export interface ClientCommand extends AnyCommand {
  readonly kind?: 'client';
  /** The list that `--filter` and `--sort` are about. */
  readonly list?: ListName;
  /** Loads the code: nobody waits for that of other commands. */
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

/** Runs a command that asks an agent. @returns the exit code; 0 where it returns none. */
export type RunCommand = (session: Session, given: Given) => Promise<number | void>;
