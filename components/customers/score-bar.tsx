import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'

type ScoreBarProps = { what: string; score: { label: string; tone: Tone; position: number; text: string } | null }

/** A score as a small bar with its figure and its bucket in words; one that is missing is written out and never drawn as an empty bar. */
export function ScoreBar({ what, score }: ScoreBarProps) {
  if (!score) {
    return (
      <span className="text-ink-3 text-xs">
        <span className="sr-only">{what}: </span>not scored
      </span>
    )
  }
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex min-w-0 items-baseline gap-1.5 text-xs">
        <span className="sr-only">{what}: </span>
        <span className="font-medium tabular-nums">{score.text}</span>
        <span className={cn('truncate', toneText[score.tone])}>{score.label}</span>
      </span>
      <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className={cn('h-1 w-full max-w-32', toneText[score.tone])}>
        <rect width="100" height="4" rx="2" className="fill-sunken" />
        <rect width={Math.max(2, score.position * 100)} height="4" rx="2" fill="currentColor" />
      </svg>
    </span>
  )
}
