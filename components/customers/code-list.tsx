import { cn } from '@/components/ui/cn'
import { toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { codeWords } from '@/lib/domain/identity-codes'

const weights: Record<string, string> = { bad: 'Risk', held: 'To be looked at', good: 'Information', neutral: 'Other' }

/** The codes of a module, the gravest first: the code, what it means, how it weighs by shape, colour and word. */
export function CodeList({ codes, messages }: { codes: readonly string[]; messages: Readonly<Record<string, string>> }) {
  if (codes.length === 0) return null
  return (
    <ul className="grid gap-0.5">
      {codeWords(codes, messages).map(({ code, text, tone }) => (
        <li key={code} className="flex items-start gap-1.5 text-sm">
          <ToneShape tone={tone} className={cn('mt-1 size-3', toneText[tone])} />
          <span className="sr-only">{weights[tone] ?? 'Other'}: </span>
          <code className={cn('shrink-0 font-medium font-mono text-xs leading-5', toneText[tone])}>{code}</code>
          <bdi className="min-w-0 break-words text-ink-2">{text}</bdi>
        </li>
      ))}
    </ul>
  )
}
