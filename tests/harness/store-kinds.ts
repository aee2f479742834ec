import { isFullRun } from '@/tests/sandbox/sample'

export type StoreKind = 'PGlite' | 'PostgreSQL'

/**
 * The kinds of stores that a test file runs on. In the short run, only `embedded-store.test.ts`
 * uses PGlite.
 */
export const storeKinds: readonly StoreKind[] = isFullRun
  ? ['PGlite', 'PostgreSQL']
  : ['PostgreSQL']
