/** A file or a directory, as clients see it. */
export interface FileEntry {
  readonly Name: string;
  readonly IsDir: boolean;
  /** Bytes. */
  readonly Size: number;
  /** As Go writes it: `-rw-r--r--`, `drwx------`, `Lrwxrwxrwx`. */
  readonly FileMode: string;
  /** RFC 3339. */
  readonly ModTime: string;
}
