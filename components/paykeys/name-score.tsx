import { cn } from '@/components/ui/cn'
import { toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { scoreBounds, scoreWords } from '@/lib/domain/verification-score'

const zones = [
  { from: 0, to: scoreBounds.medium, name: 'low', fill: 'fill-bad-fill' },
  { from: scoreBounds.medium, to: scoreBounds.high, name: 'medium', fill: 'fill-held-fill' },
  { from: scoreBounds.high, to: 1, name: 'high', fill: 'fill-good-fill' },
] as const

const percent = (part: number) => `${part * 100}%`

/** How alike the names are, on a scale whose zones are drawn: where the score lies says at a glance how close it was. */
export function NameScore({ score }: { score: number | undefined }) {
  const words = scoreWords(score)
  if (!words) return <p className="text-ink-2 text-sm">No score came with the names; compare them yourself.</p>
  return (
    <div className="grid gap-1">
      <p className="flex items-center gap-2">
        <ToneShape tone={words.tone} className={cn('size-4', toneText[words.tone])} />
        <span className={cn('font-semibold', toneText[words.tone])}>{words.label}</span>
        <span className="text-ink-2 tabular-nums">{words.text} of 1</span>
      </p>
      <svg aria-hidden="true" className="h-9 w-full overflow-visible">
        {zones.map((zone) => (
          <g key={zone.name}>
            <rect x={percent(zone.from)} width={percent(zone.to - zone.from)} y="6" height="8" className={zone.fill} />
            <text x={percent((zone.from + zone.to) / 2)} y="30" textAnchor="middle" className="fill-ink-3 text-2xs">
              {zone.name}
            </text>
          </g>
        ))}
        <rect x="0" y="6" width="100%" height="8" fill="none" className="stroke-line" />
        <line
          x1={percent(words.position)}
          x2={percent(words.position)}
          y1="2"
          y2="18"
          className="stroke-ink"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
    </div>
  )
}
