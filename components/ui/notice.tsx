import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { type Tone, toneText } from './tone'
import { ToneShape } from './tone-shape'

const frames: Record<Tone, string> = {
  neutral: 'border-line bg-surface',
  moving: 'border-moving/30 bg-moving-fill',
  held: 'border-held/30 bg-held-fill',
  review: 'border-review/30 bg-review-fill',
  good: 'border-good/30 bg-good-fill',
  bad: 'border-bad/30 bg-bad-fill',
  sandbox: 'border-sandbox/30 bg-sandbox-fill',
  unknown: 'border-held border-dashed bg-held-fill',
}

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & { tone?: Tone; title: ReactNode; actions?: ReactNode }

/** Something to know, in place: a heading, the words, what can be done. Pass `role="alert"` only for what must interrupt. */
export const Notice = ({ tone = 'neutral', title, actions, className, children, ...props }: NoticeProps) => (
  <div {...props} data-tone={tone} className={cn('flex gap-2.5 rounded border px-3 py-2.5 text-ink', frames[tone], className)}>
    <ToneShape tone={tone} className={cn('mt-0.5 size-4', toneText[tone])} />
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="font-semibold text-sm">{title}</p>
      {children && <div className="grid gap-1 text-ink-2 text-sm">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  </div>
)
