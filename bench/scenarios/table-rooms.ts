/** The query of a list of a table. */
export interface List {
  count(query: object): Promise<number>;
  facets(query: object, fields: readonly string[]): Promise<object>;
  page(query: object): Promise<{ readonly items: readonly unknown[]; readonly nextToken: string | null }>;
}

export interface Table {
  putAll(rows: readonly unknown[]): void;
  put(row: unknown): void;
}

/** Subpaths of the package, in one. */
export interface Rooms {
  readonly createTable: (schema: object, options: object) => Table;
  readonly createList: (table: Table) => List;
  readonly columns: (fields: 'auto', options: object) => object;
}

export async function loadRooms(): Promise<Rooms> {
  const of = async (room: string): Promise<object> => (await import(`tamis/${room}`)) as object;
  return Object.assign({}, await of('table'), await of('query'), await of('columns')) as Rooms;
}
