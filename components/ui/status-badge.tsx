import type { ReactNode } from 'react'
import { Badge } from './badge'
import type { Tone } from './tone'
import { ToneShape } from './tone-shape'

/** A state as shape, word and colour. A state nobody knows is `neutral` with its raw text. */
export const StatusBadge = ({ tone, children, className }: { tone: Tone; children: ReactNode; className?: string }) => (
  <Badge tone={tone} className={className}>
    <ToneShape tone={tone} className="-ml-0.5" />
    {children}
  </Badge>
)
