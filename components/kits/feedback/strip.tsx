import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { type Tone, toneClasses } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'

/** A line across the whole screen for what touches every page of it. */
export const Strip = ({ tone, urgent = false, children }: { tone: Tone; urgent?: boolean; children: ReactNode }) => (
  <div
    role={urgent ? 'alert' : 'status'}
    data-tone={tone}
    className={cn(
      'flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5 font-medium text-sm',
      toneClasses[tone],
    )}
  >
    <ToneShape tone={tone} className="size-4" />
    {children}
  </div>
)
