import { isFull } from '@/tests/sandbox/sample'

export type StoreKind = 'PGlite' | 'PostgreSQL'

/** The stores that a file runs on. In the short run only `embedded-store.test.ts` uses PGlite. */
export const storeKinds: readonly StoreKind[] = isFull ? ['PGlite', 'PostgreSQL'] : ['PostgreSQL']
