import { Panel } from '@/components/kits/layout/panel'
import { VerificationCodeList } from '@/components/kits/record/code-list'
import { cn } from '@/components/ui/cn'
import { StatusBadge, type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { getVerdictWords } from '@/lib/domain/verification'
import { type KycFieldResult, toKycFieldResults } from '@/lib/features/customers/labels'
import type { IdentityDetails } from '@/lib/operations/customers.schema'

const addressFields = ['address', 'city', 'state', 'zip']

function toMatchLabel(
  { field, match }: KycFieldResult,
  hasAddress: boolean,
): { tone: Tone; word: string } {
  if (match === false && !hasAddress && addressFields.includes(field))
    return { tone: 'unknown', word: 'not given' }
  if (match === null) return { tone: 'unknown', word: 'unknown' }
  return match ? { tone: 'good', word: 'match' } : { tone: 'bad', word: 'no match' }
}

/** An unknown result has its own icon and is not shown as a match. */
export function KycPanel({
  details,
  hasAddress,
}: {
  details: IdentityDetails
  hasAddress: boolean
}) {
  const { kyc, messages } = details
  if (!kyc) return null
  const verdict = getVerdictWords(kyc.decision)
  const fieldResults = toKycFieldResults(kyc.validations)
  const matchCount = fieldResults.filter(({ match }) => match === true).length
  return (
    <Panel
      title="Identity fields"
      aside={
        <span className="flex items-center gap-2 text-ink-3 text-xs">
          {matchCount} of {fieldResults.length} match
          <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        </span>
      }
    >
      <ul aria-label="Identity fields" className="grid grid-cols-2 gap-x-4 gap-y-1">
        {fieldResults.map((fieldResult) => {
          const { field, label, match } = fieldResult
          const { tone, word } = toMatchLabel(fieldResult, hasAddress)
          return (
            <li key={field} className="flex items-center gap-1.5">
              <ToneIcon tone={tone} className={cn('size-4', toneTextClasses[tone])} />
              <span className="min-w-0 truncate">{label}</span>
              <span
                className={cn(
                  'ml-auto text-xs',
                  match === true ? 'text-ink-3' : toneTextClasses[tone],
                )}
              >
                {word}
              </span>
            </li>
          )
        })}
      </ul>
      {kyc.codes.length > 0 && (
        <div className="mt-2 border-line border-t pt-2">
          <VerificationCodeList codes={kyc.codes} messages={messages} />
        </div>
      )}
    </Panel>
  )
}
