import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'

type EmptyStateProps = {
  tone?: Tone
  title: ReactNode
  actions?: ReactNode
  level?: 1 | 2
  className?: string
  children?: ReactNode
}

export function EmptyState({
  tone = 'neutral',
  title,
  actions,
  level = 2,
  className,
  children,
}: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cn('grid max-w-xl justify-items-start gap-2 py-8', className)}>
      <ToneIcon tone={tone} className={cn('size-6', toneTextClasses[tone])} />
      <Heading className={cn('font-semibold', level === 1 ? 'text-xl' : 'text-lg')}>
        {title}
      </Heading>
      {children && <div className="grid gap-2 text-base text-ink-2">{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
