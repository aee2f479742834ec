import type { ReactNode } from 'react'
import { cn } from './cn'
import type { Tone } from './tone'

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const shapes: Record<Tone, ReactNode> = {
  neutral: <circle cx="8" cy="8" r="4.5" {...line} />,
  moving: (
    <>
      <circle cx="8" cy="8" r="4.5" {...line} />
      <path d="M8 3.5a4.5 4.5 0 0 1 0 9Z" fill="currentColor" />
    </>
  ),
  held: <path d="M5.75 4v8M10.25 4v8" {...line} strokeWidth={2.5} />,
  review: (
    <>
      <path d="M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8Z" {...line} strokeWidth={1.5} />
      <circle cx="8" cy="8" r="1.75" fill="currentColor" />
    </>
  ),
  good: <path d="m3.5 8.5 3 3 6-7" {...line} strokeWidth={2} />,
  bad: <path d="m4.25 4.25 7.5 7.5m0-7.5-7.5 7.5" {...line} strokeWidth={2} />,
  sandbox: (
    <path
      d="M6.25 2.25v3.9L3 12.1c-.4.8.1 1.65 1 1.65h8c.9 0 1.4-.85 1-1.65L9.75 6.15v-3.9M5 2.25h6M4.9 9.5h6.2"
      {...line}
      strokeWidth={1.5}
    />
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.25" {...line} strokeWidth={1.5} strokeDasharray="2.6 2.3" />
      <path d="M6.5 6.4c.1-.9.7-1.4 1.55-1.4.9 0 1.5.55 1.5 1.3 0 1.15-1.5 1.2-1.5 2.35M8 10.9h.01" {...line} strokeWidth={1.5} />
    </>
  ),
}

/** The shape that says a tone without colour. Decoration: the word beside it is what a screen reader hears. */
export const ToneShape = ({ tone, className }: { tone: Tone; className?: string }) => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className={cn('size-3.5 shrink-0', className)}>
    {shapes[tone]}
  </svg>
)
