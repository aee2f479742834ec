import { OutsideText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { ToneShape, toneText } from '@/components/ui/tone'
import { codeWords } from '@/lib/domain/identity-codes'
import type { Tone } from '@/lib/domain/status'

const weights: Partial<Record<Tone, string>> = { bad: 'Risk', held: 'Review', good: 'Information' }

/** The codes of a verification, most severe first. Each shows its severity as a shape, color and word, and its meaning. */
export function CodeList({ codes, messages }: { codes: readonly string[]; messages: Readonly<Record<string, string>> }) {
  if (codes.length === 0) return null
  return (
    <ul className="grid gap-0.5">
      {codeWords(codes, messages).map(({ code, text, tone }) => (
        <li key={code} className="flex items-start gap-1.5 text-sm">
          <ToneShape tone={tone} className={cn('mt-1 size-3', toneText[tone])} />
          <span className="sr-only">{weights[tone] ?? 'Other'}: </span>
          <code className={cn('shrink-0 font-medium font-mono text-xs leading-5', toneText[tone])}>{code}</code>
          <OutsideText className="min-w-0 break-words text-ink-2">{text}</OutsideText>
        </li>
      ))}
    </ul>
  )
}
