import { isFull } from '@/sandbox/testing/sample'

export type StoreKind = 'PGlite' | 'PostgreSQL'

/** The stores that a file runs over. In the short run `embedded-store.test.ts` alone is on PGlite. */
export const storeKinds: readonly StoreKind[] = isFull ? ['PGlite', 'PostgreSQL'] : ['PostgreSQL']
