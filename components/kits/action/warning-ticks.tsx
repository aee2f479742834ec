'use client'

import { useState } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Notice } from '@/components/ui/notice'
import { reasonWarnings } from '@/lib/domain/decision-reasons'

export type Warnings = {
  list: readonly { id: string; text: string }[]
  ticked: ReadonlySet<string>
  /** Whether somebody tried to send with a box left open. */
  asked: boolean
  tick: (id: string, on: boolean) => void
  allTicked: () => boolean
}

/** Warnings about the object and the text; each needs a tick of its own, which is kept while the text changes. */
export function useWarnings(text: string, names: readonly (string | undefined)[], cautions: readonly string[]): Warnings {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState(false)
  const ofText = reasonWarnings(text, names).map(({ id, text }) => ({ id, text: `${text} Send it all the same.` }))
  const list = [...cautions.map((caution) => ({ id: caution, text: caution })), ...ofText]
  const tick = (id: string, on: boolean) => setTicked((old) => new Set(on ? [...old, id] : [...old].filter((each) => each !== id)))
  const allTicked = () => {
    const all = list.every((warning) => ticked.has(warning.id))
    setAsked(!all)
    return all
  }
  return { list, ticked, asked, tick, allTicked }
}

export function WarningTicks({ warnings }: { warnings: Warnings }) {
  if (warnings.list.length === 0) return null
  return (
    <Notice tone="held" title="Before it is sent">
      {warnings.list.map((warning) => (
        <Checkbox
          key={warning.id}
          label={warning.text}
          checked={warnings.ticked.has(warning.id)}
          onChange={(event) => warnings.tick(warning.id, event.target.checked)}
        />
      ))}
      {warnings.asked && (
        <p role="alert" className="font-medium text-bad">
          Nothing was sent: tick each line, or change the text.
        </p>
      )}
    </Notice>
  )
}
