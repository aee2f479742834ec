import type { ReactNode } from 'react'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'

/** One line of a story. `mark` says whose record it is, in a word. */
export type TimelineItem = {
  id: string
  at: string | null
  tone: Tone
  title: ReactNode
  by: ReactNode
  mark: string
  detail?: ReactNode
  more?: ReactNode
}

/** What happened, newest first; every line says who, when and whose record it is. */
export const Timeline = ({ items, label }: { items: readonly TimelineItem[]; label: string }) => (
  <ol aria-label={label} className="grid">
    {items.map((item, at) => (
      <li key={item.id} className="relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 pb-3 last:pb-0">
        {at < items.length - 1 && <span aria-hidden="true" className="absolute top-5 bottom-0 left-[0.45rem] w-px bg-line" />}
        <ToneShape tone={item.tone} className={cn('mt-0.5 size-4 bg-surface', toneText[item.tone])} />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{item.title}</span>
            <span className="text-ink-3 text-xs">
              {item.by} · {item.mark} · {item.at === null ? 'time not given' : <RelativeTime at={item.at} />}
            </span>
          </p>
          {item.detail && <p className="break-words text-ink-2">{item.detail}</p>}
          {item.more}
        </div>
      </li>
    ))}
  </ol>
)
