import { ExternalText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { toVerificationCodeTexts } from '@/lib/domain/identity-codes'
import type { Tone } from '@/lib/domain/status'

const severityLabels: Partial<Record<Tone, string>> = {
  bad: 'Risk',
  held: 'Review',
  good: 'Information',
}

/** Most severe first. Each code shows its severity as a shape, color and word. */
export function VerificationCodeList({
  codes,
  messages,
}: {
  codes: readonly string[]
  messages: Readonly<Record<string, string>>
}) {
  if (codes.length === 0) return null
  return (
    <ul className="grid gap-0.5">
      {toVerificationCodeTexts(codes, messages).map(({ code, text, tone }) => (
        <li key={code} className="flex items-start gap-1.5 text-sm">
          <ToneIcon tone={tone} className={cn('mt-1 size-3', toneTextClasses[tone])} />
          <span className="sr-only">{severityLabels[tone] ?? 'Other'}: </span>
          <code
            className={cn(
              'shrink-0 font-medium font-mono text-xs leading-5',
              toneTextClasses[tone],
            )}
          >
            {code}
          </code>
          <ExternalText className="min-w-0 break-words text-ink-2">{text}</ExternalText>
        </li>
      ))}
    </ul>
  )
}
