import { cn } from '@/components/ui/cn'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'

const noCurrency = 'currency not readable'

type AmountProps = {
  raw: string
  currency: string
  unit: AmountUnit
  className?: string /** Writes what the service sent beside it. */
  withRaw?: boolean
  /** Turns the sign around, where the service's own is another than people expect. */
  sign?: 1 | -1
}

/**
 * An amount for people, the currency muted. What is no plain amount is shown as it came, with "unit unclear": it is never guessed. Where there is none,
 * or nobody can say in which currency, that is said.
 */
export function Amount({ raw, currency, unit, withRaw = false, sign = 1, className }: AmountProps) {
  const minor = minorUnits(raw, unit)
  if (raw === '') return <span className={cn('whitespace-nowrap font-normal text-ink-2', className)}>Not readable</span>
  if (minor === null) {
    return (
      <span className={cn('whitespace-nowrap tabular-nums', className)}>
        {raw} <span className="font-medium text-2xs text-held">{currency || noCurrency}, unit unclear</span>
      </span>
    )
  }
  return (
    <span className={cn('tabular-nums', className)}>
      <span className="whitespace-nowrap">
        {formatMinor(minor * sign)} <span className="font-normal text-[0.8em] text-ink-3">{currency || noCurrency}</span>
      </span>
      {withRaw && <span className="whitespace-nowrap font-mono font-normal text-ink-3 text-xs"> sent as {raw}</span>}
    </span>
  )
}
