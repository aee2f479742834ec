import type { Dialect } from './dialect'
import { documentDialect } from './document'
import { oddDialect } from './odd'
import { providerDialect } from './provider'

/** Every dialect by its name. */
const dialects = {
  document: (_seed: number): Dialect => documentDialect,
  provider: (_seed: number): Dialect => providerDialect,
  odd: oddDialect,
}

export type DialectName = keyof typeof dialects

/** All names, the usual one first. */
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]]

/** The dialect of a name; `seed` is where one that leaves something to chance begins. */
export const dialectOf = (name: DialectName, seed: number): Dialect => dialects[name](seed)
