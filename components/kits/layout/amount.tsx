import { cn } from '@/components/ui/cn'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'

type AmountProps = {
  raw: string
  currency: string
  unit: AmountUnit
  className?: string /** Writes what the service sent beside it. */
  withRaw?: boolean
}

/** An amount for people, the currency muted. What cannot be read is shown as it came, with "unit unclear": it is never guessed. */
export function Amount({ raw, currency, unit, withRaw = false, className }: AmountProps) {
  const minor = minorUnits(raw, unit)
  if (minor === null) {
    return (
      <span className={cn('whitespace-nowrap tabular-nums', className)}>
        {raw} <span className="font-medium text-2xs text-held">{currency}, unit unclear</span>
      </span>
    )
  }
  return (
    <span className={cn('tabular-nums', className)}>
      <span className="whitespace-nowrap">
        {formatMinor(minor)} <span className="font-normal text-[0.8em] text-ink-3">{currency}</span>
      </span>
      {withRaw && <span className="whitespace-nowrap font-mono font-normal text-ink-3 text-xs"> sent as {raw}</span>}
    </span>
  )
}
