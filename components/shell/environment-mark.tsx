import { cn } from '@/components/ui/cn'
import { ToneShape } from '@/components/ui/tone-shape'
import type { Environment } from '@/lib/operations/define'

/** The line at the very top of the window: coloured where nothing is real, calm where it is. */
export const EnvironmentStripe = ({ environment }: { environment: Environment }) => (
  <div aria-hidden="true" className={cn('h-1', environment === 'sandbox' ? 'bg-sandbox-stripe' : 'bg-control')} />
)

/** The environment in words, on every screen. */
export const EnvironmentWord = ({ environment, className }: { environment: Environment; className?: string }) => (
  <span
    className={cn(
      'inline-flex h-6 shrink-0 items-center gap-1 rounded-full border px-2 font-semibold text-2xs tracking-wide',
      environment === 'sandbox' ? 'border-sandbox/40 bg-sandbox-fill text-sandbox' : 'border-ink-2 bg-surface text-ink',
      className,
    )}
  >
    {environment === 'sandbox' && <ToneShape tone="sandbox" />}
    <span className="sr-only">Environment: </span>
    {environment.toUpperCase()}
  </span>
)
