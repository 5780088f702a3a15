/** The results of `any` and `all` if the collection is absent, empty or nil. */
export const emptyCollectionResult: Readonly<Record<'any' | 'all', boolean>> = { any: false, all: true };
