import { cn } from '@/components/ui/cn'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'

const noCurrency = 'currency not readable'

type AmountProps = {
  raw: string
  currency: string
  unit: AmountUnit
  className?: string /** Also shows the service's raw value. */
  withRaw?: boolean
  /** -1 inverts the sign, for amounts whose sign at the service is the opposite of what people expect. */
  sign?: 1 | -1
}

/**
 * A formatted amount with its currency. If `raw` is not a plain amount, it is shown as received with "unit unclear"; the unit is never
 * guessed. A missing amount or currency is labeled as not readable.
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
