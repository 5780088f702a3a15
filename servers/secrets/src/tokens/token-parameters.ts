/** The parameters that a role gives its tokens: the fields `token_*`, in seconds, already checked. */
export interface TokenParameters {
  readonly policies: readonly string[];
  readonly noDefaultPolicy: boolean;
  readonly type: 'default' | 'service' | 'batch';
  readonly ttl: number;
  readonly maxTtl: number;
  readonly explicitMaxTtl: number;
  readonly period: number;
  readonly numUses: number;
  readonly boundCidrs: readonly string[];
}
