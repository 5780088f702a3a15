/** The settings of a store in etcd, with what is usual where the configuration says nothing. */
export interface EtcdPlace {
  readonly settings: EtcdFiles;
  /** What the keys of the store begin with. */
  readonly prefix: string;
  /** Seconds after which an active server that is not heard of is replaced. */
  readonly leaseTtl: number;
  /** What this server listens on for the others. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Where others reach this server: host and port. */
  readonly address: string;
}

/** Members of etcd, and the files that prove who asks; by their names in the configuration. */
export interface EtcdFiles {
  readonly endpoints: readonly string[];
  readonly ca_file?: string | undefined;
  readonly cert_file?: string | undefined;
  readonly key_file?: string | undefined;
  readonly username?: string | undefined;
  readonly password_file?: string | undefined;
  readonly peer_cert_file?: string | undefined;
  readonly peer_key_file?: string | undefined;
  readonly peer_ca_file?: string | undefined;
  readonly api_address?: string | undefined;
}
