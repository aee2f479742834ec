import { type Dialect, documentedDialect } from './dialect'
import { createOddDialect } from './odd'
import { providerDialect } from './provider'

const dialectFactories = {
  document: (_seed: number): Dialect => documentedDialect,
  provider: (_seed: number): Dialect => providerDialect,
  odd: createOddDialect,
}

export type DialectName = keyof typeof dialectFactories

/** Names of all dialects, default first. */
export const dialectNames = Object.keys(dialectFactories) as [DialectName, ...DialectName[]]

export const createDialect = (name: DialectName, seed: number): Dialect =>
  dialectFactories[name](seed)
