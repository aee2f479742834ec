import { type Dialect, documentDialect } from './dialect'
import { oddDialect } from './odd'
import { providerDialect } from './provider'

const dialects = {
  document: (_seed: number): Dialect => documentDialect,
  provider: (_seed: number): Dialect => providerDialect,
  odd: oddDialect,
}

export type DialectName = keyof typeof dialects

/** Names of all dialects, default first. */
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]]

export const createDialect = (name: DialectName, seed: number): Dialect => dialects[name](seed)
