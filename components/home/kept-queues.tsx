'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useList } from '@/components/kits/list/frame'
import { newsText } from '@/components/kits/list/kept-rows'

/** Parts of a queue that affect its position on the page: its total and the keys of its first rows. */
type QueueShape = { id: string; total: number; keys: readonly string[] }

/** Returns the sum of all queue increases and the sum of all decreases. */
function grown(shown: readonly QueueShape[], now: readonly QueueShape[]): { came: number; left: number } {
  const before = new Map(shown.map(({ id, total }) => [id, total]))
  const after = new Map(now.map(({ id, total }) => [id, total]))
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((id) => (after.get(id) ?? 0) - (before.get(id) ?? 0))
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + Math.max(0, value), 0)
  return { came: sum(changes), left: sum(changes.map((value) => -value)) }
}

/** Keeps the shown queues in place during background refreshes. The header shows how many rows came and left. */
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
