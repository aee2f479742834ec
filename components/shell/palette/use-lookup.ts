'use client'

import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import { useDebounced } from '@/lib/client/use-debounced'
import { foldText } from '@/lib/domain/text-forms'
import type { FoundTrace } from '@/lib/operations/find'
import type { PaletteHit } from './hit'
import { planLookup, type RecordSearchPlan } from './record-searches'
import { isPasted, type SearchTerm } from './search-term'

const typingPauseMs = 350
const notFoundCodes = new Set(['service_not_found', 'not_found'])

export type PaletteLookup = {
  hits: PaletteHit[]
  traces: FoundTrace[]
  /** Searches that have more matches than are shown, with the URL of all matches. */
  more: { what: string; total: number; path: string }[]
  searched: string[]
  failures: { what: string; why: string }[]
  busy: boolean
}

/**
 * Returns the term after a pause in typing, and null until then. A pasted term is returned at once.
 */
function useSettledTerm(term: SearchTerm | null): SearchTerm | null {
  const termKey = JSON.stringify(term)
  const settledTermKey = useDebounced(termKey, typingPauseMs)
  return term && (isPasted(term) || settledTermKey === termKey) ? term : null
}

const dedupeHits = (hits: PaletteHit[]): PaletteHit[] => [
  ...new Map(hits.map((hit) => [`${hit.resource}/${hit.id}`, hit])).values(),
]

/**
 * Moves hits whose title equals the search term to the front, because Enter opens the first hit.
 */
const sortExactFirst = (hits: PaletteHit[], term: SearchTerm | null): PaletteHit[] => {
  if (term?.kind !== 'words' && term?.kind !== 'key') return hits
  const isExactMatch = ({ title }: PaletteHit) => foldText(title) === foldText(term.text)
  return [...hits.filter(isExactMatch), ...hits.filter((hit) => !isExactMatch(hit))]
}

const toSearchResult = (
  { found }: RecordSearchPlan,
  result: UseQueryResult<CallAnswer<unknown>> | undefined,
) => (result?.data ? found(result.data) : null)

/**
 * Runs all searches for a term. A "not found" response counts as an empty result. Any other error
 * counts as a failed search, because the record may exist.
 */
export function useLookup(typedTerm: SearchTerm | null): PaletteLookup {
  const context = usePageContext()
  const term = useSettledTerm(typedTerm)
  const { searches, unavailable } = term
    ? planLookup(context, term)
    : { searches: [], unavailable: [] }
  const queryResults = useQueries({ queries: searches.map(({ query }) => query) })
  const searchStates = searches.map((each, at) => ({
    ...each,
    result: queryResults[at],
    came: toSearchResult(each, queryResults[at]),
  }))
  const failedSearches = searchStates.filter(
    ({ result }) => result?.error && !notFoundCodes.has(result.error.code),
  )
  const searchResults = searchStates.flatMap(({ came }) => came ?? [])
  return {
    hits: sortExactFirst(dedupeHits(searchResults.flatMap(({ hits }) => hits)), term),
    traces: searchResults.flatMap(({ traces }) => traces),
    more: searchStates.flatMap(({ what, all: path, came }) => {
      const totalMatchCount = came?.total ?? 0
      return path && totalMatchCount > (came?.hits.length ?? 0)
        ? [{ what, total: totalMatchCount, path }]
        : []
    }),
    searched: searchStates
      .filter((each) => (each.result?.error ? !failedSearches.includes(each) : each.came))
      .map(({ what }) => what),
    failures: [
      ...failedSearches.map(({ what, result }) => ({ what, why: result?.error?.message ?? '' })),
      ...searchResults.flatMap(({ unsearched }) => unsearched),
      ...unavailable.map((what) => ({
        what,
        why: 'Choose an account first: you have access to single accounts, not the whole platform.',
      })),
    ],
    busy:
      (typedTerm !== null && term === null) ||
      searchStates.some(({ result }) => result?.isFetching),
  }
}
