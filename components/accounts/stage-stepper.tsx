import { cn } from '@/components/ui/cn'
import type { Tone } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { stages } from '@/lib/domain/account-rules'
import { statusWords } from '@/lib/domain/status'

/** The way in, stage by stage, and where the account stands on it. One that ended elsewhere stands on none. */
export function StageStepper({ status }: { status: string }) {
  const at = (stages as readonly string[]).indexOf(status)
  return (
    <ol aria-label="Stages" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {stages.map((stage, index) => (
        <Stage key={stage} stage={stage} isFirst={index === 0} place={Math.sign(index - at)} />
      ))}
      {at < 0 && <li className="text-ink-3 text-xs">{statusWords('account', status).label} is on none of them.</li>}
    </ol>
  )
}

/** `place`: -1 behind, 0 where the account stands, 1 ahead. The last stage is done once it is reached. */
function Stage({ stage, isFirst, place }: { stage: (typeof stages)[number]; isFirst: boolean; place: number }) {
  const isHere = place === 0
  const tones: readonly Tone[] = ['good', stage === 'active' ? 'good' : 'moving', 'neutral']
  return (
    <li aria-current={isHere ? 'step' : undefined} className="flex items-center gap-2">
      {!isFirst && <span aria-hidden="true" className={cn('h-px w-6', place <= 0 ? 'bg-good' : 'bg-line')} />}
      <span
        className={cn(
          'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs',
          isHere ? 'border-sandbox bg-sandbox-fill font-semibold text-sandbox' : 'border-line text-ink-2',
        )}
      >
        <ToneShape tone={tones[place + 1] ?? 'neutral'} />
        {statusWords('account', stage).label}
      </span>
    </li>
  )
}
