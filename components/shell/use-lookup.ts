'use client'

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { FoundTrace } from '@/lib/operations/find'
import { type Asked, isWhole } from './asked'
import type { Hit } from './hit'
import { lookupPlan } from './lookup-plan'

const pause = 350
const notHere = new Set(['service_not_found', 'not_found'])

export type Lookup = {
  hits: Hit[]
  traces: FoundTrace[]
  /** Searches with more matches than are shown, and the list that shows them. */
  more: { what: string; total: number; path: string }[]
  searched: string[]
  failures: { what: string; why: string }[]
  busy: boolean
}

/** The text once the typing has paused, null until then; what was pasted whole does not wait. */
function useSettled(asked: Asked | null): Asked | null {
  const name = JSON.stringify(asked)
  const [settled, setSettled] = useState(name)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(name), pause)
    return () => clearTimeout(timer)
  }, [name])
  return asked && (isWhole(asked) || settled === name) ? asked : null
}

const byId = (hits: Hit[]): Hit[] => [...new Map(hits.map((hit) => [`${hit.resource}/${hit.id}`, hit])).values()]

/** Asks everything a text may name at once. "Not found" is an answer; anything else that fails is named, so that silence never reads as absence. */
export function useLookup(typed: Asked | null): Lookup {
  const desk = useDesk()
  const asked = useSettled(typed)
  const { searches, closed } = asked ? lookupPlan(desk, asked) : { searches: [], closed: [] }
  const results = useQueries({ queries: searches.map(({ query }) => query) })
  const all = searches.map((each, at) => ({ ...each, result: results[at] }))
  const failed = all.filter(({ result }) => result?.error && !notHere.has(result.error.code))
  const found = all.flatMap(({ result }) => (result?.data ? [result.data] : []))
  return {
    hits: byId(found.flatMap(({ hits }) => hits)),
    traces: found.flatMap(({ traces }) => traces),
    more: all.flatMap(({ what, all: path, result }) => {
      const total = result?.data?.total ?? 0
      return path && total > (result?.data?.hits.length ?? 0) ? [{ what, total, path }] : []
    }),
    searched: all.filter((each) => each.result?.isSuccess || (each.result?.error && !failed.includes(each))).map(({ what }) => what),
    failures: [
      ...failed.map(({ what, result }) => ({ what, why: result?.error?.message ?? '' })),
      ...found.flatMap(({ unsearched }) => unsearched),
      ...closed.map((what) => ({ what, why: 'Choose an account first: you may look into single accounts, not the whole platform.' })),
    ],
    busy: (typed !== null && asked === null) || all.some(({ result }) => result?.isFetching),
  }
}
