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

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * How well a line fits what was typed: 3 where its title begins so, 2 where the title has every word, 1 where the words stand in title and note
 * together, 0 where one is missing. A typed word stands for every word that begins with it.
 */
export function fitOf(typed: string, title: string, note = ''): 0 | 1 | 2 | 3 {
  const asked = wordsOf(typed)
  const holds = (words: readonly string[]) => asked.every((word) => words.some((each) => each.startsWith(word)))
  if (wordsOf(title).join(' ').startsWith(asked.join(' '))) return 3
  if (holds(wordsOf(title))) return 2
  return holds(wordsOf(`${title} ${note}`)) ? 1 : 0
}

/** The groups with the lines that fit, the best of each first, the group with the best line first; nothing typed keeps all as they stand. */
export function fitting(typed: string, groups: readonly PaletteGroup[]): PaletteGroup[] {
  const rated = groups.map(({ heading, entries }) => {
    const lines = entries
      .map((entry) => ({ entry, fit: fitOf(typed, entry.title, entry.note) }))
      .filter(({ fit }) => fit > 0)
      .sort((one, other) => other.fit - one.fit)
    return { best: lines[0]?.fit ?? 0, heading, entries: lines.map(({ entry }) => entry) }
  })
  return rated
    .filter(({ best }) => best > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ heading, entries }) => ({ heading, entries }))
}
