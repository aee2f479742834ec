'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useList } from '@/components/kits/list/frame'
import { newsText } from '@/components/kits/list/kept-rows'

/** A queue as far as its place on the page hangs on it: how many wait, and the first of them. */
type QueueShape = { id: string; total: number; keys: readonly string[] }

/** By how many the queues grew and shrank, each for itself. */
function grown(shown: readonly QueueShape[], now: readonly QueueShape[]): { came: number; left: number } {
  const before = new Map(shown.map(({ id, total }) => [id, total]))
  const after = new Map(now.map(({ id, total }) => [id, total]))
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((id) => (after.get(id) ?? 0) - (before.get(id) ?? 0))
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + Math.max(0, value), 0)
  return { came: sum(changes), left: sum(changes.map((value) => -value)) }
}

/** The queues as they are shown: what nobody asked for leaves every row in its place, and the head says how many came and left. */
export function KeptQueues({ shape, children }: { shape: readonly QueueShape[]; children: ReactNode }) {
  const { quiet, tellNews } = useList()
  const now = JSON.stringify(shape)
  const [kept, setKept] = useState({ shape: now, children, given: children })
  if (kept.given !== children) {
    const inPlace = quiet && kept.shape !== now
    setKept(inPlace ? { ...kept, given: children } : { shape: now, children, given: children })
  }
  useEffect(() => {
    if (kept.shape === now) return tellNews(null)
    const { came, left } = grown(JSON.parse(kept.shape), JSON.parse(now))
    tellNews({ text: newsText(came, left) || 'Changed', take: () => setKept({ shape: now, children, given: children }) })
  }, [kept.shape, now, children, tellNews])
  useEffect(() => () => tellNews(null), [tellNews])
  return kept.children
}
