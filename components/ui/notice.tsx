import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { type Tone, ToneIcon, toneTextClasses } from './tone'

const noticeClasses: Record<Tone, string> = {
  neutral: 'border-line bg-surface',
  moving: 'border-moving/30 bg-[color-mix(in_oklab,var(--moving-fill)_60%,var(--surface))]',
  held: 'border-held/30 bg-[color-mix(in_oklab,var(--held-fill)_60%,var(--surface))]',
  review: 'border-review/30 bg-[color-mix(in_oklab,var(--review-fill)_60%,var(--surface))]',
  good: 'border-good/30 bg-[color-mix(in_oklab,var(--good-fill)_60%,var(--surface))]',
  bad: 'border-bad/30 bg-[color-mix(in_oklab,var(--bad-fill)_60%,var(--surface))]',
  sandbox: 'border-sandbox/30 bg-[color-mix(in_oklab,var(--sandbox-fill)_60%,var(--surface))]',
  unknown: 'border-held border-dashed bg-[color-mix(in_oklab,var(--held-fill)_60%,var(--surface))]',
}

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone?: Tone
  title: ReactNode
  actions?: ReactNode
}

/** Use `role="alert"` only if a screen reader must announce the message at once. */
export const Notice = ({
  tone = 'neutral',
  title,
  actions,
  className,
  children,
  ...props
}: NoticeProps) => (
  <div
    {...props}
    data-tone={tone}
    className={cn(
      'flex gap-2.5 rounded border px-3 py-2.5 text-ink',
      noticeClasses[tone],
      className,
    )}
  >
    <ToneIcon tone={tone} className={cn('mt-0.5 size-4', toneTextClasses[tone])} />
    <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
      <p className="font-semibold text-sm">{title}</p>
      {children && <div className="grid grid-cols-1 gap-1 text-ink-2 text-sm">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  </div>
)
