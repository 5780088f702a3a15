/** A file or directory, as clients see it. */
export interface FileEntry {
  readonly Name: string;
  readonly IsDir: boolean;
  /** Size in bytes. */
  readonly Size: number;
  /** Mode as Go prints it: `-rw-r--r--`, `drwx------`, `Lrwxrwxrwx`. */
  readonly FileMode: string;
  /** Modification time, RFC 3339. */
  readonly ModTime: string;
}
