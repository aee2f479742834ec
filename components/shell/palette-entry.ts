import type { ReactNode } from 'react'

/** One line of the palette. A link has `path`, so that it can open in another tab; everything else has `run`. */
export type PaletteEntry = {
  /** Unique among all lines. */
  value: string
  icon?: ReactNode
  title: string
  /** What it is or does, after the title. */
  note?: string
  /** At the end of the line: a state, a time. */
  state?: ReactNode
  /** The keys that do the same. */
  keys?: readonly string[]
  /** Why it cannot be chosen now. */
  closed?: string | null
} & ({ path: string; run?: undefined } | { path?: undefined; run: () => void })

/** Lines under one heading. */
export type PaletteGroup = { heading: string; entries: PaletteEntry[] }

/** Whether every word that was typed stands in one of the texts, in any order. */
export function fits(typed: string, ...texts: (string | undefined)[]): boolean {
  const hay = texts.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}
