import {
  Check,
  Circle,
  CircleQuestionMark,
  Contrast,
  Eye,
  FlaskConical,
  type IconNode,
  Pause,
  X,
} from 'lucide'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { LineIcon } from './line-icon'

/** An icon and a word always accompany a color, because color alone is not accessible. */
export type Tone = 'neutral' | 'moving' | 'held' | 'review' | 'good' | 'bad' | 'sandbox' | 'unknown'

/** Written out, because Tailwind finds class names only as whole words in the source. */
export const toneClasses: Record<Tone, string> = {
  neutral: 'bg-neutral-fill text-neutral border-transparent',
  moving: 'bg-moving-fill text-moving border-transparent',
  held: 'bg-held-fill text-held border-transparent',
  review: 'bg-review-fill text-review border-transparent',
  good: 'bg-good-fill text-good border-transparent',
  bad: 'bg-bad-fill text-bad border-transparent',
  sandbox: 'bg-sandbox-fill text-sandbox border-transparent',
  unknown: 'bg-held-fill text-held border-held border-dashed',
}

export const toneTextClasses: Record<Tone, string> = {
  neutral: 'text-neutral',
  moving: 'text-moving',
  held: 'text-held',
  review: 'text-review',
  good: 'text-good',
  bad: 'text-bad',
  sandbox: 'text-sandbox',
  unknown: 'text-held',
}

const iconShapes: Record<Tone, IconNode> = {
  neutral: Circle,
  moving: Contrast,
  held: Pause,
  review: Eye,
  good: Check,
  bad: X,
  sandbox: FlaskConical,
  unknown: CircleQuestionMark,
}

/** The icon of a tone. Screen readers skip it and read the word beside it. */
export const ToneIcon = ({ tone, className }: { tone: Tone; className?: string }) => (
  <LineIcon shapes={iconShapes[tone]} className={cn('size-3.5 shrink-0', className)} />
)

export const Badge = ({
  tone = 'neutral',
  className,
  ...props
}: ComponentProps<'span'> & { tone?: Tone }) => (
  <span
    {...props}
    data-tone={tone}
    className={cn(
      'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-xs',
      toneClasses[tone],
      className,
    )}
  />
)

/** For an unknown status of the service, use the tone `neutral` and the received text. */
export const StatusBadge = ({
  tone,
  children,
  className,
}: {
  tone: Tone
  children: ReactNode
  className?: string
}) => (
  <Badge tone={tone} className={className}>
    <ToneIcon tone={tone} className="-ml-0.5" />
    {children}
  </Badge>
)
