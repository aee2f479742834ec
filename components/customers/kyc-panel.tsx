import { Panel } from '@/components/kits/layout/panel'
import { CodeList } from '@/components/kits/record/code-list'
import { cn } from '@/components/ui/cn'
import { StatusBadge } from '@/components/ui/status-badge'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { type KycTick, kycTicks } from '@/lib/domain/kyc-fields'
import { verdictWords } from '@/lib/domain/verdict-words'
import type { IdentityDetails } from '@/lib/operations/customer-review.schema'

const looks = (match: KycTick['match']): { tone: Tone; word: string } => {
  if (match === null) return { tone: 'unknown', word: 'unknown' }
  return match ? { tone: 'good', word: 'match' } : { tone: 'bad', word: 'no match' }
}

/** Field by field what was found to be the person's; unknown has a shape of its own and is never drawn as a match. */
export function KycPanel({ details }: { details: IdentityDetails }) {
  const { kyc, messages } = details
  if (!kyc) return null
  const verdict = verdictWords(kyc.decision)
  const ticks = kycTicks(kyc.validations)
  const matches = ticks.filter(({ match }) => match === true).length
  return (
    <Panel
      title="Identity fields"
      aside={
        <span className="flex items-center gap-2 text-ink-3 text-xs">
          {matches} of {ticks.length} match
          <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        </span>
      }
    >
      <ul aria-label="Identity fields" className="grid grid-cols-2 gap-x-4 gap-y-1">
        {ticks.map(({ field, label, match }) => {
          const { tone, word } = looks(match)
          return (
            <li key={field} className="flex items-center gap-1.5">
              <ToneShape tone={tone} className={cn('size-4', toneText[tone])} />
              <span className="min-w-0 truncate">{label}</span>
              <span className={cn('ml-auto text-xs', match === true ? 'text-ink-3' : toneText[tone])}>{word}</span>
            </li>
          )
        })}
      </ul>
      {kyc.codes.length > 0 && (
        <div className="mt-2 border-line border-t pt-2">
          <CodeList codes={kyc.codes} messages={messages} />
        </div>
      )}
    </Panel>
  )
}
